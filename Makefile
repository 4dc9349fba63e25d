# Shortcuts; the scripts do the work and say what they need.
.PHONY: demo test campaign bench compare

demo:
	bash scripts/demo
test:
	bash scripts/test
campaign:
	bash scripts/campaign
bench:
	bash scripts/bench
compare:
	bench/compare
