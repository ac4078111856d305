/* A ninth entry; the same push in both slots is one. */
EXEC PUSHAv PUSHAs;
EXEC PUSHAv NOPs;
EXEC PUSHAv NOPs;
EXEC PUSHAv NOPs;
EXEC PUSHAv NOPs;
EXEC PUSHAv NOPs;
EXEC PUSHAv NOPs;
EXEC PUSHAv NOPs;
EXEC(cs)(cwr) MOVv r63.x***, a[0].xyzw NOPs;
EXEC(lt)(p.xxxx) NOPv CALs 11;
EXEC PUSHAv NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
