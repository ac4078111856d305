/* All three without cc are what NVIDIA's driver writes. */
EXEC(lt)(eq)(gt)(export[1]=vector) MOVv r63.xyzw, a[1].xyzw NOPs;
EXEC_END(lt)(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
