package gmp

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

// plain are the fields that are neither atomic nor a Cell, with the reason why a model
// need not see them.
var plain = map[string]string{
	"G.Sched":  "the machine's own: Run works on it while the G runs, and the G's other fields show who has it",
	"G.scases": "the router's: of the G that runs",
	"M.ID":     "constant",
	"M.Thread": "constant, and its CPU belongs to the M",
	"M.Gone":   "the router's: only on its own thread",
	"M.call":   "the router's: only on its own thread", "M.calls": "the same",
	"M.last":  "the router's: only on its own thread",
	"M.ended": "the router's: for the report of Ctrl-C, and atomic", "M.rests": "the same", "M.polls": "the same", "M.outside": "the same", "M.host._": "the same", "M.host.v": "the same",
	"M.slicedG": "the router's: only on its own thread", "M.slice": "the router's: only on its own thread",
	"M.executed": "the router's: only on its own thread, and read when all have ended",
	"M.starved":  "the router's: only on its own thread",
	"M.traced":   "the trace's: only on its own thread", "M.calling": "the trace's: only on its own thread",
	"M.acquired": "the trace's: only on its own thread",
	"M.events":   "the trace's: only on its own thread",
	"P.ID":       "constant",
	"P.Runq":     "constant: the slots are atomic",

	"Sched.Parts": "constant", "Sched.Collector": "constant", "G.native": "constant", "Sched.Machine": "constant", "Sched.Mainfn": "constant", "Sched.SemTable": "constant",
	"Sched.Lock.s": "constant", "Sched.Lock.published": "of Unlock alone, under the lock that it gives back",
	"Sched.run": "the router's own, with locks of its own: no part of what is explored",

	"Hchan.Addr": "constant", "Hchan.Elem": "constant", "Hchan.Dataqsiz": "constant", "Hchan.Buf": "constant", "Hchan.Timer": "constant",
	"Timer.F": "constant", "Timer.Arg": "constant", "Timer.C": "constant",
	"PollDesc.Number": "constant",
}

// What several Ms share is visible to a model: each field is atomic, a Cell or made of
// such, or it is listed above.
func TestSharedFieldsAreVisible(t *testing.T) {
	listed := map[string]bool{}
	var walk func(name string, typ reflect.Type)
	walk = func(name string, typ reflect.Type) {
		if why, ok := plain[name]; ok && why != "" {
			listed[name] = true
			return
		}
		switch path := typ.PkgPath(); {
		case path == "gosched/chapters/machine":
			assert.NotEqual(t, "Context", typ.Name(), name)
			return // atomic, Cell, Mutex, Note: what a Hook sees
		case typ.Kind() == reflect.Struct:
			for f := range typ.Fields() {
				inner := name + "." + f.Name
				if f.Anonymous && f.Type.PkgPath() == "gosched/chapters/machine" {
					continue
				}
				walk(inner, f.Type)
			}
		default:
			t.Errorf("%s is a plain %v: a model does not see who uses it. Make it a machine.Cell, or list it here with the reason", name, typ)
		}
	}
	for _, v := range []any{G{}, M{}, P{}, Sched{}, Hchan{}, Sudog{}, Waitq{}, SemaRoot{}, NotifyList{}, Timer{}, TimerList{}, PollDesc{}} {
		typ := reflect.TypeOf(v)
		walk(typ.Name(), typ)
	}
	for name := range plain {
		assert.True(t, listed[name], "%s is listed, and is visible or is not there", name)
	}
}
