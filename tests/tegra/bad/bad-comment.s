EXEC NOPv; // fine
EXEC_END /* fine */ NOPv; /* not
fine
