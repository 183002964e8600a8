package explore
import ("math/rand/v2"; "gosched/chapters/machine")
type Options struct { Steps, Depth, Spins int; Seed uint64; Replay string }
func (o Options) withDefaults() Options {
	if o.Steps == 0 { o.Steps = 5_000_000 }
	if o.Depth == 0 { o.Depth = 5000 }
	if o.Spins == 0 { o.Spins = 1 }
	return o
}
func tidy(s string) string { return s }
type recording struct{}
func (r *recording) note(t *thread, s string){}
func (r *recording) arrive(t *thread){}
func (r *recording) done(t *thread, a, b machine.Value, ok bool){}
func (r *recording) result(t *thread, ok bool){}
func (r *recording) cell(t *thread, id machine.ID, set bool){}
func (r *recording) executed(t *thread){}
func (x *explorer) number(v any) string { return "" }
var _ = rand.New

func newExplorer(opt Options, model func(m *Model)) *explorer {
	return &explorer{opt: opt.withDefaults(), model: model, sync: true}
}

// run executes the model once more, a second time if it turns out that more had to be kept.
func (x *explorer) run1() *verdict {
	v := x.execute()
	if x.aborted {
		v = x.execute()
	}
	x.sync = x.cells
	x.executions++
	if x.redundant { x.redundants++ }
	x.total += x.length
	return v
}

// walk
func (x *explorer) walk(s strategy, visit func(v *verdict) bool) (complete bool) {
	x.strategy = s
	x.trail, x.known = x.trail[:0], 0
	for {
		v := x.run1()
		if !visit(v) { return false }
		if !x.advance() { return true }
		if x.total >= x.opt.Steps { return false }
	}
}
