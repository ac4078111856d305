/* A loop that has a way out, and leads to one that has none. */
EXEC(cs)(cwr) MOVv r63.x***, a[0].xyzw NOPs;
EXEC(lt)(p.xxxx) NOPv BRAs 1;
EXEC NOPv NOPs;
EXEC(lt)(p.xxxx) NOPv BRAs 2;
EXEC(lt)(eq)(gt) NOPv BRAs 2;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
