TEXS R0, R0, R4, R5, 0x8, 2D, RGBA;
TEXS R1, R0, R4, R5, 0x8, 2D, RGB;
TEXS R2, R0, R4, R5, 0x8, 2D, RGB;
TEXS.F16 R0, R0, R4, R5, 0x8, 2D, RGB;
TEXS.F16 R1, R0, R4, R5, 0x8, 2D, RGB;
TEXS R4, R0, R4, R5, 0x8, 2D, RGBA; # a source may be overwritten
