#include "textflag.h"

// func Put(b []byte, v byte)
TEXT ·Put(SB), NOSPLIT, $0-25
	MOVD b_base+0(FP), R0
	MOVBU v+24(FP), R1
	MOVB R1, (R0)
	RET
