TEXS RZ, R0, R4, R5, 0x8, 2D, RG &wr=2 ?stall=2;
TEXS RZ, R6, R0, R5, 0x8, 2D, R &wr=3;
TEXS RZ, R7, R1, R5, 0x8, 2D, R &req=2 &wr=4;
TEXS RZ, R8, R6, R7, 0x8, 2D, R &req=3,4 &wr=0;
TEXS RZ, R9, R8, R7, 0x8, 2D, R &req=0x3e &wr=0;
TEX.LZ P2, RZ, R4, RZ, 0x8, 2D, 0xf &req=0 &wr=1 ?stall=2;
@!P2 TEXS RZ, R10, R4, R5, 0x8, 2D, R &wr=2;
@P2 TEXS RZ, R11, R4, R5, 0x8, 2D, R &req=1 &wr=3;
