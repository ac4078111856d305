TEXS RZ, R0, R4, R5, 0x8, 2D, R ?stall=2;
TEXS RZ, R0, R4, R5, 0x8, 2D, R &rd=1;
TEXS RZ, R0, R4, R5, 0x8, 2D, R &wr=0;
TEXS RZ, R0, R4, R5, 0x8, 2D, R; # not scheduled
