/* Of another register than is tested, and of another component. */
EXEC(cs)(cwr)(cr=1) MOVv r63.x***, a[0].xyzw NOPs;
EXEC(cs)(cwr) MOVv r63.xy**, a[0].xyzw NOPs;
EXEC(cs)(cwr) MOVv r63.**zw, a[0].xyzw NOPs;
EXEC(lt)(p.xxxx) NOPv BRAs 4;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
