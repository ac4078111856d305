[B------:R-:W-:-:S16] TEXS RZ, R0, R4, R5, 0x8, 2D, R;
[B1-----:R-:W-:-:S01] TEXS RZ, R0, R4, R5, 0x8, 2D, R;
[B------:R8:W-:-:S01] TEXS RZ, R0, R4, R5, 0x8, 2D, R;
[B------:R-:W-:Z:S01] TEXS RZ, R0, R4, R5, 0x8, 2D, R;
[B------:R-:W-:-:S1] TEXS RZ, R0, R4, R5, 0x8, 2D, R;
[B
TEXS RZ, R0, R4, R5, 0x8, 2D, R &req=6;
TEXS RZ, R0, R4, R5, 0x8, 2D, R &req=0x40;
TEXS RZ, R0, R4, R5, 0x8, 2D, R &rd=8;
TEXS RZ, R0, R4, R5, 0x8, 2D, R &wr;
TEXS RZ, R0, R4, R5, 0x8, 2D, R ?stall=16;
TEXS RZ, R0, R4, R5, 0x8, 2D, R ?stal=1;
TEXS RZ, R0, R4, R5, 0x8, 2D, R ?;
.word 0x10000000000000000;
.word d830001ff1d71300;
.words 1;
.integer 0x2000;
