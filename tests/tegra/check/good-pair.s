/* Both slots work, over one constant. */
EXEC DP3v r3.x***, a[0].xyzw, c[1].xyzw RCPs r0.*y**, c[1].wwww;
EXEC_END(export[0]=vector) MULv r63.xyzw, r3.xxxx, r0.yyyy NOPs;
