/* Of a result, and of A0. */
EXEC MOVv r0.****, a[0].xyzw NOPs;
EXEC ARLv A0.****, a[0].xyzw NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
