/* ARL has no result that a condition could be of. */
EXEC(cs)(cwr)(cr=1) ARLv A0.x***, a[1].xyzw NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[A0.x].xyzw NOPs;
