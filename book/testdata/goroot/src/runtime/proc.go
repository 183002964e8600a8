package runtime

const slice = 10 * 1000 * 1000 // 10 ms

type state uint32

const (
	idle state = iota
	runnable
	odd = other + 1
)

var tick, limit int32 = 0, 10000

type p struct {
	runq [256]guintptr
}

func (pp *p) destroy() {}

func findRunnable() {
	// the 61st
	if pp.schedtick%61 == 0 &&
		sched.runqsize > 0 {
		return
	}
}
