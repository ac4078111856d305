// The condition may stand at the end, and a loop may end the program.
.constants
[0].x = 4.0;
[0].y = -1.0;
.defaults nvidia
.asm
EXEC(export[0]=vector) MOVv r0.xyzw, a[0].xyzw;
EXEC MOVv r1.x***, c[0].xxxx;
top:
EXEC MULv r0.xyzw, r0.xyzw, a[1].xyzw;
EXEC(cs)(cwr) ADDv r1.x***, r1.xxxx, c[0].yyyy;
EXEC(gt)(p.xxxx) BRAs top;
EXEC_END(export[1]=vector) MOVv r63.xyzw, r0.xyzw;
