# Scoreboards are 1 to 6, the mask has six bits, and each field is one sign.
01:0:-:-:1 TEXS RZ, R0, R4, R5, 0x8, 2D, R;
01:-:7:-:1 TEXS RZ, R0, R4, R5, 0x8, 2D, R;
40:-:-:-:1 TEXS RZ, R0, R4, R5, 0x8, 2D, R;
1:-:-:-:1 TEXS RZ, R0, R4, R5, 0x8, 2D, R;
-1:-:-:-:1 TEXS RZ, R0, R4, R5, 0x8, 2D, R;
--:-:-:N:1 TEXS RZ, R0, R4, R5, 0x8, 2D, R;
--:-:-:-:g TEXS RZ, R0, R4, R5, 0x8, 2D, R;
--:-:-:-
# Two instructions, of which the first does not stall.
{ TEXS RZ, R0, R4, R5, 0x8, 2D, R; }
{ .word 1; .word 2; .word 3 }
{ --:-:-:-:1 .word 1; .word 2 }
{ .word 1 &wr=0; .word 2 }
.word 4; }
{ .word 5; { .word 6; .word 7 }
# Of a pair with a mistake in it nothing more is said.
{ TEXS R0; .word 8 }
{ .word 9; TEXS R0 }
{ .word 10; .integer 3; .word 11;
