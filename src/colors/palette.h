// Colours: in linear light for computing, encoded as sRGB for pictures.
#ifndef THUDI_PALETTE_H
#define THUDI_PALETTE_H

#include "thud/show.h"

typedef struct thudi_rgb
{
    double r, g, b;
} thudi_rgb;

// The one map for numbers, 0 <= x <= 1 (others are clamped): blue, teal, yellow; see palette.c.
thudi_rgb thudi_palette_map(double x);

// Colours to tell things apart, from Okabe and Ito: good for those who do not see all colours.
// They repeat after THUDI_CHOICES.
enum
{
    THUDI_CHOICES = 7
};
thudi_rgb thudi_palette_choice(int i);

// A part of linear light as sRGB, and back; both 0 .. 1.
double thudi_rgb_encode(double linear);
double thudi_rgb_decode(double encoded);

// a + s (b - a)
thudi_rgb thudi_rgb_mix(thudi_rgb a, thudi_rgb b, double s);

typedef struct thudi_theme
{
    thudi_rgb background, floor, pane, line, ink, plain, chain;
} thudi_theme;

thudi_theme thudi_theme_of(thud_theme theme);

#endif
