TEXS RZ, R0, R4, R5, 0x8, 2D, R ?stall=2;
TEXS RZ, R0, R4, R5, 0x8, 2D, R &rd=1;
TEXS RZ, R0, R4, R5, 0x8, 2D, R &wr=0;
TEXS RZ, R0, R4, R5, 0x8, 2D, R; # not scheduled
TEX.LZ P2, RZ, R4, RZ, 0x8, 2D, 0x0 ?stall=2;
