/* The first round sets what the next one reads. */
EXEC MOVv r0.xyzw, a[0].xyzw NOPs;
EXEC(cs)(cwr) ADDv r0.x***, r0.xyzw, -c[0].xyzw NOPs;
EXEC(gt)(p.xxxx) NOPv BRAs 1;
EXEC(cc)(lt)(p.xxxx) MOVv r0.*yzw, c[1].xyzw NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, r0.xyzw NOPs;
