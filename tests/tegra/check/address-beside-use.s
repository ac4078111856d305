/* An index, and a push. */
EXEC ARLv A0.xy**, a[1].xyzw NOPs;
EXEC ARRv A0.x***, c[A0.y + 3].xxxx NOPs;
EXEC ARLv A0.*y**, a[1].xyzw PUSHAs;
EXEC(export[1]=vector) MOVv r63.xyzw, a[A0.y].xyzw NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[A0.x].xyzw NOPs;
