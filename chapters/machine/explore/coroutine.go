package explore

import "iter"

// A coroutine runs jobs, one after another, each in stretches: resume runs the
// job until it parks or ends. A thread of a model is a job. Coroutines are used
// again, because making one costs more than a short execution.
//
// A job may resume other coroutines, and then stands until they park. So those
// that have resumed each other form a chain, at the end of which is the one that
// runs. One in the chain cannot be resumed; it goes on when all behind it have
// parked. See await.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	job   func()
}

func newCoroutine() *coroutine {
	c := &coroutine{}
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		for {
			c.job()
			if !yield(struct{}{}) {
				return
			}
		}
	})
	return c
}

// start gives an idle coroutine its next job; resume begins it.
func (c *coroutine) start(job func()) { c.job = job }

// resume runs the job until it parks or ends. It is called by whoever is not in
// the chain.
func (c *coroutine) resume() { c.next() }

// park is called by the job: it returns at the next resume. Meanwhile the one goes
// on that has resumed it.
func (c *coroutine) park() { c.yield(struct{}{}) }

// A pool holds idle coroutines.
type pool struct{ idle []*coroutine }

func (p *pool) get() *coroutine {
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c
	}
	return newCoroutine()
}

func (p *pool) put(c *coroutine) { p.idle = append(p.idle, c) }

// close ends the idle coroutines.
func (p *pool) close() {
	for _, c := range p.idle {
		c.stop()
	}
	p.idle = nil
}
