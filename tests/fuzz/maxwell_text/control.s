.integer 0x28;
[B--2---:R0:W5:-:S01] TEXS.T RZ, R0, R4, R6, 0x28, 2D, RA; # in front
@!P0 TEXS.F16.LZ R2, R0, R4, R6, 0x28, ARRAY_2D &req=0,3 &rd=2 &wr=5 ?stall=1 ?yield ?reuse=1; // behind
.word 0x50b0000000070f00 ?t ?p; /* a word */
TLD4.B.G R4, R8, R12, 0, CUBE, 0x9 &req=0x3f;
