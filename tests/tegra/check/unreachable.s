/* Told once for instructions that stand together. */
EXEC(lt)(eq)(gt) NOPv BRAs 2;
EXEC NOPv NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
EXEC NOPv NOPs;
EXEC_END NOPv NOPs;
