.atributes
[0] = "a";
.attributes
[0] = "a";
[0] = "b";
[16] = "c";
[1] "d";
[2] = d;
[3] = "e"
[4] = "f;
[5] = "tab	";
[6] = "x"; [6] = "y"; [7 = "z";
EXEC NOPv;
[1] = "late";
.constants
foo
.
.defaults intel
.asm
EXEC_END NOPv;
