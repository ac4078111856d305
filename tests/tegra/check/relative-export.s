/* The limits are 16 and 30, also from 31, which is no export by itself. */
EXEC ARLv A0.x***, a[1].xyzw NOPs;
EXEC(export[A0.x + 9]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
EXEC_END(export[A0.w + 1]=vector)(export_index=31) MOVv r63.xyzw, a[0].xyzw NOPs;
