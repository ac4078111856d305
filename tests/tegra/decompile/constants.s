// What the program gives is an immediate, the rest is the caller's; c[256] is 0.
.constants
[0].x = 0.5;
[0].y = -2.0;
[0].z = 0x7f800000;
[0].w = 0x3dcccccd;
[1].x = 3.0;
.asm
EXEC(export[0]=vector) MULv r63.xyzw, a[0].xyzw, c[0].xyzw;
EXEC(export[1]=vector) ADDv r63.x***, a[0].xyzw, c[1].xxxx;
EXEC(export[1]=vector) ADDv r63.*y**, a[0].xyzw, c[1].zzzz;
EXEC(export[1]=vector) ADDv r63.**zw, a[0].xyzw, c[1].wxxw;
EXEC_END(export[2]=vector) MOVv r63.xyzw, c[256].xyzw;
