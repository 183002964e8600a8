package machine

import "strings"

// UnsafePoint reports whether the program must not be stopped before the instruction at pc,
// but only where it calls something: its stack may move while it is stopped.
//
// All of the program's own code may be stopped anywhere. One instruction does a whole CALL, ENTER
// or RET, so that there is always a frame or none; which slots of a frame hold addresses is
// the same from its first instruction to its last; and no slot that is not one of them holds an
// address of the stack.
//
// Package runtime is compiled with the program, and it breaks the last of these rules: while it
// looks for deferred calls and returns to a frame that recovers, it has addresses of the stack
// in slots for numbers, which no call comes between. So nothing in it is a safe point. (In the
// real runtime that is so, too, for more reasons.)
func (p *Program) UnsafePoint(pc PC) bool {
	f := p.FuncAt(pc)
	return f == nil || strings.HasPrefix(f.Name, "runtime.")
}
