package sharing

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const head = `package ch07

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

`

const plain = ", a plain field of runqueue that the explorer cannot see: make it an atomic variable of package machine, a machine.Cell if a lock protects it, or a gmp.PerP if each P has its own; what one call alone needs can be a local variable"

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name string
		code string
		want []string
	}{
		{"past the Cell", `
type parking struct{ s *gmp.Sched }

func (p *parking) Goready(mp *gmp.M, gp *gmp.G) {
	if gp.Param.Peek() == nil {
		gp.Param = machine.CellOf[*gmp.Sudog](nil)
	}
	p.s.Enqueue(nil, &gmp.Sudog{G: machine.CellOf(gp)})
}
`, []string{
			"runq.go:11: Peek is for reports, and the explorer does not see it: use Get",
			"runq.go:12: CellOf is for a composite literal; the explorer does not see that it overwrites a Cell: use Set",
		}},
		{"right", `
type runqueue struct {
	s     *gmp.Sched
	size  int
	count machine.Int32
	tails [4]machine.Uint32
	lock  machine.Mutex
	list  machine.Cell[[]*gmp.G]
	stash gmp.PerP[stash]
}

type stash struct{ n int }

func (s *stash) grow() { s.n++ }

var _ gmp.RunQueue = (*runqueue)(nil)

var names = [...]string{"a", "b"}

func New(s *gmp.Sched) gmp.RunQueue {
	q := &runqueue{s: s}
	q.size = 4
	return q
}

func (q *runqueue) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	q.count.Add(1)
	t := &q.tails[1]
	t.Store(2)
	q.lock.Lock()
	q.list.Set(append(q.list.Get(), gp))
	q.lock.Unlock()
	st := q.stash.Of(pp)
	st.n++
	st.grow()
	gp.Schedlink = nil
	list := &q.s.Runq
	q.s.Runq.Head = list.Tail
	n := q.size
	n++
	for _, name := range names {
		_ = name
	}
}
`, nil},
		{"plain field", `
type runqueue struct {
	s     *gmp.Sched
	count int
	table map[int]int
	ring  [4]*gmp.G
}

func (q *runqueue) Runqput() {
	q.count++
	q.count += 2
	q.table[1] = 2
	delete(q.table, 1)
	q.ring[0], q.ring[1] = nil, nil
	p := &q.count
	*p = 3
}
`, []string{
			"runq.go:16: Runqput writes count" + plain,
			"runq.go:17: Runqput writes count" + plain,
			"runq.go:18: Runqput writes table" + plain,
			"runq.go:19: Runqput changes table" + plain,
			"runq.go:20: Runqput writes ring" + plain,
			"runq.go:21: Runqput takes the address of count" + plain,
		}},
		{"what a part holds", `
type runqueue struct {
	s    *gmp.Sched
	head *node
	list node
}

type node struct {
	next *node
	n    int
}

type other struct{ n int }

func (q *runqueue) Runqput() {
	fresh := &node{}
	fresh.n = 1
	o := other{}
	o.n = 2
	n := q.head
	n.n = 3
	q.list.n = 4
	q.reset(n)
}

func (q *runqueue) reset(n *node) { n.next.n = 5 }
`, []string{
			"runq.go:27: Runqput writes n, a plain field of node that the explorer cannot see: make it an atomic variable of package machine, a machine.Cell if a lock protects it, or a gmp.PerP if each P has its own; what one call alone needs can be a local variable",
			"runq.go:28: Runqput writes list" + plain,
			"runq.go:32: reset writes next, a plain field of node that the explorer cannot see: make it an atomic variable of package machine, a machine.Cell if a lock protects it, or a gmp.PerP if each P has its own; what one call alone needs can be a local variable",
		}},
		{"package variables", `
var count int

var lock machine.Mutex

var table = map[string]int{}

var counter tally

type tally struct{ n int }

func (t *tally) add() { t.n++ }

func (t tally) get() int { return t.n }

func Runqput() {
	count++
	table["a"] = 1
	counter.add()
	_ = counter.get()
	local := count
	local++
}
`, []string{
			"runq.go:10: the package variable lock is shared by all schedulers of the process: make it a field of the part",
			"runq.go:23: Runqput writes the package variable count, which all schedulers of the process share: make it a field of the part",
			"runq.go:24: Runqput writes the package variable table, which all schedulers of the process share: make it a field of the part",
			"runq.go:25: Runqput may change the package variable counter, which all schedulers of the process share: make it a field of the part",
		}},
		{"other means", `
import "sync/atomic"

func Runqput(c chan int) {
	var x atomic.Int32
	x.Add(1)
	go func() {}()
	c <- 1
}
`, []string{
			"runq.go:8: the explorer cannot see what sync/atomic does: use the atomic variables, Mutex and Note of package machine",
			"runq.go:13: the explorer cannot see goroutines: start a thread with machine.Newosproc",
			"runq.go:14: the explorer cannot see channels: use the machine's Note to wait and to wake",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			problems, err := Check(fstest.MapFS{
				"runq.go":      {Data: []byte(head + test.code[1:])},
				"runq_test.go": {Data: []byte("package ch07\n\nvar n int\n\nfunc f() { n++ }\n")},
			})
			require.NoError(t, err)
			var got []string
			for _, p := range problems {
				got = append(got, p.String())
			}
			assert.Equal(t, test.want, got)
		})
	}
}

func TestUnparsable(t *testing.T) {
	_, err := Check(fstest.MapFS{"a.go": {Data: []byte("package a\nfunc {")}})
	assert.ErrorContains(t, err, "a.go:2")
	problems, err := Check(fstest.MapFS{})
	assert.NoError(t, err)
	assert.Empty(t, problems)
}

// The solutions that are there keep nothing where the explorer could not see it.
func TestSolutions(t *testing.T) {
	const dir = "../../../../solutions"
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), "ch") {
			continue // it holds no parts
		}
		problems, err := Check(os.DirFS(dir + "/" + e.Name()))
		require.NoError(t, err)
		for _, p := range problems {
			if p.File != "mutants.go" {
				t.Errorf("%s/%v", e.Name(), p)
			}
		}
	}
}
