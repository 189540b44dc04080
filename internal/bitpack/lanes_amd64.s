#include "textflag.h"

// func eightsAVX2(of *[batch]eights, text *[batch * unit]byte, l *lanes) (unknown uint64)
//
// Of 32 characters: the low bits choose a letter, which has to be the character, and its code. Codes are joined to
// pairs, quads, and eights.
TEXT ·eightsAVX2(SB), NOSPLIT, $0-32
	MOVQ of+0(FP), DI
	MOVQ text+8(FP), SI
	MOVQ l+16(FP), BX
	VMOVDQU (BX), Y8      // letters
	VMOVDQU 32(BX), Y9    // codes
	VMOVDQU 64(BX), Y10   // pair
	VMOVDQU 96(BX), Y11   // quad
	VMOVDQU 128(BX), Y12  // low
	VMOVDQU 160(BX), Y13  // half
	VMOVQ 192(BX), X14    // shift
	VPXOR Y15, Y15, Y15   // what letters and characters differ in
	MOVQ $16, CX

loop:
	VMOVDQU (SI), Y0
	VPAND Y12, Y0, Y1
	VPSHUFB Y1, Y8, Y2
	VPXOR Y0, Y2, Y2
	VPOR Y2, Y15, Y15
	VPSHUFB Y1, Y9, Y3
	VPMADDUBSW Y10, Y3, Y3
	VPMADDWD Y11, Y3, Y3
	VPSLLQ X14, Y3, Y4
	VPSRLQ $32, Y3, Y3
	VPOR Y3, Y4, Y4
	VPAND Y13, Y4, Y4
	VMOVDQU Y4, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNZ loop

	XORQ AX, AX
	VPTEST Y15, Y15
	SETNE AX
	MOVQ AX, unknown+24(FP)
	VZEROUPPER
	RET
