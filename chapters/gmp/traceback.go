package gmp

import (
	"fmt"
	"io"
	"strings"

	"gosched/chapters/machine"
)

// maxFrames is how many frames of a stack a listing shows at each end.
const maxFrames = 50

// gname is how messages call a G.
func (s *Sched) gname(gp *G) string { return fmt.Sprintf("goroutine %d", gp.Goid.Get()) }

// state is the state of gp in the words of Go's tracebacks.
func (s *Sched) state(gp *G) string {
	st := gp.Atomicstatus.Peek()
	if why := gp.Waitreason.Peek(); st == Gwaiting && why != WaitReasonZero {
		return why.String()
	}
	return StatusName(st)
}

// places are where gp is: the calls that are under way, the innermost first. Go hides the
// runtime's own frames, too, and a wrapper that the compiler made, unless it is what the
// program stands in.
func (s *Sched) places(gp *G) []machine.Place {
	var places []machine.Place
	s.Machine.Frames(&gp.Sched, func(fr machine.Frame) bool {
		for _, at := range fr.Func.Places(fr.PC) {
			wrapper := fr.Func.Line == 0 && at.Func == fr.Func.Name && len(places) > 0
			if !wrapper && !strings.HasPrefix(at.Func, "runtime.") {
				places = append(places, at)
			}
		}
		return true
	})
	return places
}

// at is the file and the line of a place.
func (s *Sched) at(p machine.Place) string {
	return fmt.Sprintf("%s:%d", s.run.prog.Files[p.File].Name, p.Line)
}

// traceback writes where gp is, in the form of Go's tracebacks. A Hook does not learn of it.
func (s *Sched) traceback(w io.Writer, gp *G) {
	fmt.Fprintf(w, "\ngoroutine %d [%s]:\n", gp.Goid.Peek(), s.state(gp))
	places := s.places(gp)
	show := func(some []machine.Place) {
		for _, p := range some {
			fmt.Fprintf(w, "%s(...)\n\t%s\n", p.Func, s.at(p))
		}
	}
	if over := len(places) - 2*maxFrames; over > 0 {
		show(places[:maxFrames])
		fmt.Fprintf(w, "...%d frames elided...\n", over)
		places = places[len(places)-maxFrames:]
	}
	show(places)
	if gp.Gopc.Peek() != 0 {
		goStatement := gp.Gopc.Peek() - 1
		if f := s.run.prog.FuncAt(goStatement); f != nil {
			fmt.Fprintf(w, "created by %s in goroutine %d\n\t%s:%d\n", f.Name, gp.Parentgoid.Peek(), s.run.prog.Files[f.File].Name, f.LineAt(goStatement))
		}
	}
}

// tracebackothers prints all Gs that live, except me.
func (s *Sched) tracebackothers(me *G) {
	s.forEachGAfterThrow(func(gp *G) {
		if st := gp.Atomicstatus.Load() &^ Gscan; gp != me && !gp.native && st != Gdead && st != Gidle {
			s.traceback(s.Stderr(), gp)
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
