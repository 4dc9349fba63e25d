// The colours of pictures.
//
// The map for numbers is a path in Oklab (Ottosson 2020), a space in which equal distances look
// equal: lightness grows evenly from 0.42 to 0.94 while a cubic Bezier curve leads from blue over
// teal to yellow. Steps of equal size in x are equal in Oklab to within a tenth, and all of it lies
// within sRGB. It reads in grey, and its dark end is light enough for shaded bodies.
#include "colors/palette.h"

#include "core/math/elementary.h"

double thudi_rgb_encode(double linear)
{
    if (!(linear > 0))
        return 0;
    if (linear >= 1)
        return 1;
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * thudi_pow(linear, 1 / 2.4) - 0.055;
}

double thudi_rgb_decode(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : thudi_pow((encoded + 0.055) / 1.055, 2.4);
}

thudi_rgb thudi_rgb_mix(thudi_rgb a, thudi_rgb b, double s)
{
    return (thudi_rgb){a.r + s * (b.r - a.r), a.g + s * (b.g - a.g), a.b + s * (b.b - a.b)};
}

static double within(double x)
{
    x = x > 0 ? x : 0;
    return x < 1 ? x : 1;
}

static thudi_rgb from_oklab(double lightness, double a, double b)
{
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return (thudi_rgb){within(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                       within(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                       within(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

thudi_rgb thudi_palette_map(double x)
{
    static const double path[4][2] = {
        {0.005, -0.150}, {-0.080, -0.125}, {-0.155, 0.020}, {-0.037, 0.150}};
    x = within(x);
    double y = 1 - x, weight[4] = {y * y * y, 3 * y * y * x, 3 * y * x * x, x * x * x};
    double a = 0, b = 0;
    for (int i = 0; i < 4; i++)
    {
        a += weight[i] * path[i][0];
        b += weight[i] * path[i][1];
    }
    return from_oklab(0.42 + 0.52 * x, a, b);
}

static thudi_rgb from_bytes(int r, int g, int b)
{
    return (thudi_rgb){thudi_rgb_decode(r / 255.0), thudi_rgb_decode(g / 255.0),
                       thudi_rgb_decode(b / 255.0)};
}

thudi_rgb thudi_palette_choice(int i)
{
    static const unsigned char choices[THUDI_CHOICES][3] = {
        {0, 114, 178}, {213, 94, 0},   {0, 158, 115}, {204, 121, 167},
        {230, 159, 0}, {86, 180, 233}, {90, 90, 90}};
    const unsigned char *c = choices[i % THUDI_CHOICES];
    return from_bytes(c[0], c[1], c[2]);
}

thudi_theme thudi_theme_of(thud_theme theme)
{
    if (theme == THUD_THEME_DARK)
        return (thudi_theme){.background = from_bytes(20, 22, 26),
                             .floor = from_bytes(64, 68, 76),
                             .pane = from_bytes(38, 42, 49),
                             .line = from_bytes(104, 112, 124),
                             .ink = from_bytes(222, 226, 232),
                             .plain = from_bytes(196, 190, 180),
                             .chain = from_bytes(255, 138, 92)};
    return (thudi_theme){.background = from_bytes(255, 255, 255),
                         .floor = from_bytes(231, 233, 236),
                         .pane = from_bytes(243, 245, 248),
                         .line = from_bytes(166, 174, 186),
                         .ink = from_bytes(40, 44, 52),
                         .plain = from_bytes(201, 190, 172),
                         .chain = from_bytes(190, 38, 26)};
}
