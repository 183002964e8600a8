package ch01

import (
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/compile"
)

// A fixture is a scheduler with the program parts.go in its memory, which does
// not run, and an M.
type fixture struct {
	*gmp.Sched
	mp *gmp.M
}

// load makes a fixture of the version under test with the parts of other in
// place of its own.
func load(t *check.T, other gmp.Version) fixture {
	const name = "parts.go"
	source, err := files.ReadFile("programs/" + name)
	if err != nil {
		panic(err)
	}
	prog, err := compile.Compile([]machine.File{{Name: name, Source: string(source)}})
	if err != nil {
		panic(err)
	}
	s, err := gmp.New(t.Version().With(other), prog, gmp.Options{
		Machine: machine.Options{MemBytes: 4 << 20},
		Log:     evidence{t},
	})
	if err != nil {
		panic(err)
	}
	return fixture{s, s.NewM(0)}
}

// evidence is where parts' Printf goes.
type evidence struct{ t *check.T }

func (e evidence) Write(text []byte) (int, error) {
	e.t.Logf("%s", strings.TrimSuffix(string(text), "\n"))
	return len(text), nil
}

// function returns a function of the program.
func (f fixture) function(name string) *machine.Func {
	for i := range f.Program().Funcs {
		if fn := &f.Program().Funcs[i]; fn.Name == name {
			return fn
		}
	}
	panic("the program has no function " + name)
}

// dead returns a G in state Gdead with a stack of size bytes, as one that has
// just ended; 0 for none. It is on the list of all Gs.
func (f fixture) dead(goid int64, size uint64) *gmp.G {
	gp := f.Malg(size)
	gp.Goid.Set(goid)
	gp.Atomicstatus.Store(gmp.Gdead)
	f.Allgadd(gp)
	return gp
}

// running makes gp the current G of the M.
func (f fixture) running(gp *gmp.G) {
	gp.Atomicstatus.Store(gmp.Grunning)
	gp.M.Set(f.mp)
	f.mp.Curg.Set(gp)
}

// allgs is the list of all Gs. It ends after limit, for the case that the list
// has been tied into a ring.
func (f fixture) allgs(limit int) []*gmp.G {
	var all []*gmp.G
	for gp := f.Allgs.Get(); gp != nil && len(all) < limit; gp = gp.Alllink.Get() {
		all = append(all, gp)
	}
	return all
}
