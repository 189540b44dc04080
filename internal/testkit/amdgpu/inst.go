package amdgpu

// class is what the counters tell apart.
type class uint8

const (
	classScalar class = iota
	classVector
	classScalarLoad
	classLocal  // local memory
	classCross  // other lanes through the hardware of local memory
	classGlobal // global memory
	classAtomic // of global memory
	classScratch
	classBranch
	classBarrier
	classNone // waits, hints
	classes
)

var classNames = [classes]string{
	"scalar", "vector", "scalar load", "local", "lanes", "global", "atomic", "scratch", "branch", "barrier", "wait",
}

// inst is a decoded instruction.
type inst struct {
	run     func(w *wave, in *inst)
	class   class
	address uint64
	text    string

	dst    operand
	mask   operand // second destination, of carries
	src    [5]operand
	second *inst // of a pair that is issued together

	target int   // of a branch, an index
	offset int64 // of memory
	pair   [2]uint32
	mode   uint8 // bits that only some instructions have

	partial   bool  // of SDWA: dst is not the whole register
	selection uint8 // of SDWA: the part
	preserve  bool  // of SDWA: the rest stays
	low16     bool  // the high half of dst stays
	clamp     bool
	atomic    bool // sc0, sc1, glc: beyond the own cache
	dpp       *dpp
	opSel     [2]uint8 // bit i is of src i: of the low and the high half
}

// operation is how a mnemonic is carried out.
type operation struct {
	class  class
	run    func(w *wave, in *inst)
	dests  int  // operands that are written
	signed bool // literals are extended to 64 bits with their sign
	clamp  bool // may be asked to clamp
	half   bool // of 16 bits: since gfx10 the high half stays
	packed bool // op_sel is understood
	moves  bool // DPP is understood
}
