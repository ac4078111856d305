TEXS RZ, R0, R19, R29, 0x1, 2D, RG;
/* never closed
TEXS RZ, R2, R19, R29, 0x1, 2D, RG;
