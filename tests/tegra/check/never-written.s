/* Components that the swizzle and the mask choose. */
EXEC MOVv r1.xy**, a[0].xyzw NOPs;
EXEC(export[1]=vector) ADDv r63.xy**, r1.yxzz, r2.wwww NOPs;
EXEC(export[2]=vector) DP3v r63.x***, r1.xyzw, c[A0.w + 1].xyzw NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
