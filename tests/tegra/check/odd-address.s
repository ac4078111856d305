/* r63 is odd, too. */
EXEC ARLv r63.x***, a[1].xyzw NOPs;
EXEC ARRv r2.x***, a[1].xyzw NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[A0.x].xyzw NOPs;
