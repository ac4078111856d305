EXEC MOVv r1,
  r99;
	EXEC_END	NOPw;
