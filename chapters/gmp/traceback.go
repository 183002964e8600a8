package gmp

import (
	"fmt"
	"strings"

	"gosched/chapters/machine"
)

// maxFrames is how many frames of a stack a listing shows at each end.
const maxFrames = 50

// gname is how messages call a G.
func (s *Sched) gname(gp *G) string { return fmt.Sprintf("goroutine %d", gp.Goid.Get()) }

// traceback prints where gp is, in the form of Go's tracebacks.
func (s *Sched) traceback(gp *G) {
	state := StatusName(gp.Atomicstatus.Load())
	if gp.Atomicstatus.Load() == Gwaiting && gp.Waitreason.Get() != WaitReasonZero {
		state = gp.Waitreason.Get().String()
	}
	s.stderr("\ngoroutine %d [%s]:\n", gp.Goid.Get(), state)

	var lines []string
	s.Machine.Frames(&gp.Sched, func(fr machine.Frame) bool {
		// Go hides the runtime's own frames, too, and a wrapper that the
		// compiler made, unless it is what the program stands in.
		for _, at := range fr.Func.Places(fr.PC) {
			wrapper := fr.Func.Line == 0 && at.Func == fr.Func.Name && len(lines) > 0
			if !wrapper && !strings.HasPrefix(at.Func, "runtime.") {
				lines = append(lines, fmt.Sprintf("%s(...)\n\t%s:%d\n", at.Func, s.run.prog.Files[at.File].Name, at.Line))
			}
		}
		return true
	})
	if over := len(lines) - 2*maxFrames; over > 0 {
		for _, l := range lines[:maxFrames] {
			s.stderr("%s", l)
		}
		s.stderr("...%d frames elided...\n", over)
		lines = lines[len(lines)-maxFrames:]
	}
	for _, l := range lines {
		s.stderr("%s", l)
	}
	if gp.Gopc.Get() != 0 {
		goStatement := gp.Gopc.Get() - 1
		if f := s.run.prog.FuncAt(goStatement); f != nil {
			s.stderr("created by %s in goroutine %d\n\t%s:%d\n", f.Name, gp.Parentgoid.Get(), s.run.prog.Files[f.File].Name, f.LineAt(goStatement))
		}
	}
}

// tracebackothers prints all Gs that live, except me.
func (s *Sched) tracebackothers(me *G) {
	s.forEachGAfterThrow(func(gp *G) {
		if st := gp.Atomicstatus.Load() &^ Gscan; gp != me && !gp.native && st != Gdead && st != Gidle {
			s.traceback(gp)
		}
	})
}

// lineOf returns the line of the program's own source at which gp stands, even
// if it is in a function of a library that was called there; 0 if unknown.
func (s *Sched) lineOf(gp *G) int {
	line := 0
	s.Machine.Frames(&gp.Sched, func(fr machine.Frame) bool {
		if strings.HasPrefix(fr.Func.Name, "main.") {
			line = fr.Func.LineAt(fr.PC)
		}
		return line == 0
	})
	return line
}
