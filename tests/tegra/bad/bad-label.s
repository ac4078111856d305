start:
EXEC(eq) BRAs strat;
EXEC(eq) CALs end;
start: EXEC NOPv;
EXEC(eq) BRAs 256;
EXEC(eq) BRAs ;
EXEC(eq) CALs -1;
3: EXEC NOPv;
_1: EXEC(eq) BRAs _1;
EXEC_END NOPv;
end:
