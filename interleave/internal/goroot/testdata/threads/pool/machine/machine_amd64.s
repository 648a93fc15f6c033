#include "textflag.h"

// func Put(b []byte, v byte)
TEXT ·Put(SB), NOSPLIT, $0-25
	MOVQ b_base+0(FP), AX
	MOVB v+24(FP), CX
	MOVB CX, (AX)
	RET
