/* Pairs of sources, then of results. Halves take one register each. */
TEXS.LL RZ, R0, R5, R9, 0x3, 2D, R;
TEXS.LL.DC RZ, R0, R4, R9, 0x3, 2D, R;
TEXS RZ, R1, R4, R5, 0x3, 2D, RG;
TEXS R3, R5, R6, R7, 0x3, 2D, RGBA;
TEXS R3, R4, R6, R7, 0x3, 2D, RGB;
TEXS.F16 R3, R5, R6, R7, 0x3, 2D, RGBA;
TLD4S.R R3, R6, R8, R9, 0x3;
