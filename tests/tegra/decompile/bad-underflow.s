.defaults nvidia
.asm
EXEC CALs 1;
EXEC RETs;
EXEC_END POPAv;
