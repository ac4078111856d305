.integer 0x8;
TEXS.F16 RZ, R0, R4, R5, 0x8, 2D, R;
TEXS RZ, R0, R4, R5, 0x8, 2D, R;
TEXS.F16 RZ, R0, R4, R5, 0x9, 2D, R;
