/* Before conditions are set, and of another register than is set; saturated results are not negative. */
EXEC(gt) NOPv BRAs 6;
EXEC(cc)(lt)(export[1]=vector) MOVv r63.xy**, a[1].xyzw NOPs;
EXEC(cs)(cwr)(saturate) MOVv r63.x***, a[1].xyzw NOPs;
EXEC(cc)(lt)(gt)(cr=1)(export[2]=vector) MOVv r63.x***, a[1].xyzw NOPs;
EXEC(lt)(p.xxxx) NOPv BRAs 6;
EXEC(cc)(gt)(p.xxxx)(export[3]=vector) MOVv r63.xyzw, a[1].xyzw NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
