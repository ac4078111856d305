/* The limits are 16 and 30. */
EXEC ARLv A0.x***, a[1].xyzw NOPs;
EXEC_END(export[A0.x + 9]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
