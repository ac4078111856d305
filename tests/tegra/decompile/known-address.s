// Where A0 comes from constants of the program, indices are known to fit. Given
// constants that an index may lead to are chosen.
.constants
[90].x = 1.5;
[90].y = -3.0;
[5].x = 7.0;
[5].w = 8.0;
.asm
EXEC ARLv A0.xy**, c[90].xyzw;
EXEC ARRv A0.**z*, abs(a[0].xyzw);
EXEC(export[0]=vector) MOVv r63.xyzw, c[A0.y + 3].xyzw;
EXEC MOVv r0.x***, c[A0.z + 4].wwww;
EXEC_END(export[A0.x]=vector) MOVv r63.x***, r0.xxxx;
