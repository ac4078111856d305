/* not ended
TEXS RZ, R0, R4, R5, 0x8, 2D, R;
