TEXS RZ, R0, ÄÅ, R5, 0x8, 2D, R;
TEXS RZ, R0, R4, R5, 0x8, 2D, Q;
