package machine

// UnsafePoint reports whether the program must not be stopped before the instruction at pc,
// because then its stack may move.
//
// That is so from the moment when a function has begun to write the arguments of a call into
// its lowest slots, until the call has been made. These slots have no bit in its
// bitmap, Func.Pointers, since each call uses them for something else, and the callee, whose
// bitmap describes them, has no frame yet. An address of the stack that is passed there would
// not be adjusted.
//
// Anywhere else it may stop. One instruction does a whole CALL, ENTER or RET, so there is a
// frame or there is none; and the bitmap is right from the first instruction of a function to
// the last.
func (p *Program) UnsafePoint(pc PC) bool {
	return int64(pc) >= int64(len(p.Code)) || int64(pc>>6) < int64(len(p.Unsafe)) && p.Unsafe[pc>>6]>>(pc&63)&1 != 0
}
