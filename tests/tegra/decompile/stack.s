// Where the depth of the stack is known, its entries are temporaries.
.defaults nvidia
.asm
EXEC ARLv A0.xyzw, abs(a[0].xyzw);
EXEC PUSHAv;
EXEC CALs 6;
EXEC POPAs;
EXEC(export[0]=vector) MOVv r63.xyzw, a[A0.x + 1].xyzw;
EXEC_END NOPv;
EXEC PUSHAs;
EXEC ARRv A0.xyzw, abs(a[1].xyzw);
EXEC(export[1]=vector) MOVv r63.xyzw, a[A0.x + 5].xyzw;
EXEC POPAv;
EXEC(export[2]=vector) MOVv r63.xyzw, a[A0.y + 5].xyzw RETs;
