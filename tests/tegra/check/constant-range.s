/* The field has room for 1023. */
EXEC(export[1]=vector) MOVv r63.xyzw, c[255].xyzw NOPs;
EXEC(export[2]=vector) MOVv r63.xyzw, c[256].xyzw NOPs;
EXEC(export[3]=scalar) NOPv RCPs r63.xyzw, c[1023].xxxx;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
