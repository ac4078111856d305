/* As often as the loop goes round. */
EXEC(cs)(cwr) MOVv r63.x***, a[0].xyzw NOPs;
EXEC PUSHAv NOPs;
EXEC(lt)(p.xxxx) NOPv BRAs 1;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
