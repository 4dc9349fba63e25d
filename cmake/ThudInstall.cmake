# Install rules, find_package(thud) and pkg-config.
