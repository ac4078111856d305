/* The export takes the other slot's result. */
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw RCPs r63.x***, a[0].xxxx;
