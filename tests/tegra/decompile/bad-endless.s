.defaults nvidia
.asm
EXEC(export[0]=vector)(cs)(cwr) MOVv r63.xyzw, a[0].xyzw;
top:
EXEC(lt)(p.xxxx) BRAs top;
EXEC BRAs top;
EXEC_END NOPv;
