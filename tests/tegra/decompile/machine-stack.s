// What pushes and pops A0 at depths that are not known has its stack in an
// array, with all that ends the program.
.defaults nvidia
.asm
EXEC(export[0]=vector)(cs)(cwr) MOVv r63.xyzw, a[0].xyzw;
EXEC(lt)(p.xxxx) BRAs skip;
EXEC PUSHAv;
skip:
EXEC POPAv;
EXEC CALs sub;
EXEC_END NOPv;
sub:
EXEC(export[1]=vector) MOVv r63.xyzw, a[0].xyzw RETs;
