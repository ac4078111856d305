/* A source that is not used may have any type. */
EXEC_END(export[0]=vector) MOVv r63.xyzw, u.xyzw NOPs;
