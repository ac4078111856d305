/* Target 1 is a swizzle of xxxy. */
EXEC(lt)(eq)(gt) ADDv r0.xyzw, a[0].xyzw, c[0].xxxy BRAs 1;
EXEC_END(export[0]=vector) MOVv r63.xyzw, r0.xyzw NOPs;
