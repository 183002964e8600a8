package mutation

import (
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

var testImporter = sync.OnceValues(func() (types.Importer, error) {
	return newImporter(root, []string{"./chapters/machine"})
})

// mutationsOf makes the mutations of a part with this code beside types.go of testdata.
func mutationsOf(t *testing.T, code string) *Solution {
	t.Helper()
	dir := t.TempDir()
	shared, err := os.ReadFile("testdata/part/types.go")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "part"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "part", "types.go"), shared, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "part", "code.go"), []byte("package part\n\n"+code), 0o644))
	importer, err := testImporter()
	require.NoError(t, err)
	s, err := read(dir, "part", "ch00", importer)
	require.NoError(t, err)
	return s
}

// body returns the mutations of a method with that body, by name without the method's:
// the body with the change.
func body(t *testing.T, text string) map[string]*Mutation {
	t.Helper()
	found := map[string]*Mutation{}
	for _, m := range mutationsOf(t, "func (p *queue) F(i *item, m int) {\n"+text+"\n}\n").Mutations {
		name, ok := strings.CutPrefix(m.Name, "F: ")
		require.True(t, ok, m.Name)
		found[name] = m
	}
	return found
}

// TestOperators has an example of each kind of mistake.
func TestOperators(t *testing.T) {
	const critical = "s := p.s\ns.Lock.Lock()\ns.Size++\ns.Head = i\ns.Lock.Unlock()\ns.Ready(i)"
	for _, tt := range []struct{ name, code, mutation, want string }{
		{"statement", "p.s.Ready(i)\np.s.Size++", "p.s.Ready(i): left out", "p.s.Size++"},
		{"if left out", "if p.s.Open {\np.s.Size++\n}\np.s.Ready(i)", "if p.s.Open: left out", "p.s.Ready(i)"},
		{"if always", "if p.s.Open {\np.s.Ready(i)\n}", "if p.s.Open: always", "{\np.s.Ready(i)\n}"},
		{"else", "if p.s.Open {\np.s.Size++\n} else {\np.s.Size--\n}", "if p.s.Open: else left out", "if p.s.Open {\np.s.Size++\n}"},
		{"return", "if p.s.Open {\nreturn\n}\np.s.Size++", "if p.s.Open { return }: return left out", "if p.s.Open {\n}\np.s.Size++"},
		{"unused variable", "n := p.s.Size\np.s.Head = i\np.s.Tail = i\nif n > 0 {\np.s.Ready(i)\n}", "if n > 0: left out", "n := p.s.Size\n_ = n\np.s.Head = i\np.s.Tail = i"},
		{"reset", "p.s.Head = nil\np.s.Ready(i)", "p.s.Head = nil: reset left out", "p.s.Ready(i)"},
		{"reset of a cell", "i.Link.Set(nil)\np.s.Ready(i)", "i.Link.Set(nil): reset left out", "p.s.Ready(i)"},
		{"reset of an atomic", "p.s.Number.Store(0)\np.s.Ready(i)", "p.s.Number.Store(0): reset left out", "p.s.Ready(i)"},
		{"one of two", "p.s.Head, p.s.Tail = nil, i", "p.s.Head = nil: reset left out", "p.s.Tail = i"},
		{"swap", "p.s.Ready(i)\np.s.Open = true", "p.s.Ready(i) and p.s.Open = true: swapped", "p.s.Open = true\np.s.Ready(i)"},
		{"after a publication", "i.Next = nil\np.s.Size++\np.s.Ready(i)", "i.Next = nil: after p.s.Ready(i)", "p.s.Size++\np.s.Ready(i)\ni.Next = nil"},
		{"before a publication", "p.s.Ready(i)\np.s.Size++\ni.Next = nil", "i.Next = nil: before p.s.Ready(i)", "i.Next = nil\np.s.Ready(i)\np.s.Size++"},
		{"out of a critical section", critical, "s.Size++: after s.Lock.Unlock()", "s := p.s\ns.Lock.Lock()\ns.Head = i\ns.Lock.Unlock()\ns.Size++\ns.Ready(i)"},
		{"before the lock", critical, "s.Head = i: before s.Lock.Lock()", "s := p.s\ns.Head = i\ns.Lock.Lock()\ns.Size++\ns.Lock.Unlock()\ns.Ready(i)"},
		{"lock given back", critical, "s.Size++ | s.Head = i: s.Lock given back in between", "s := p.s\ns.Lock.Lock()\ns.Size++\ns.Lock.Unlock()\ns.Lock.Lock()\ns.Head = i\ns.Lock.Unlock()\ns.Ready(i)"},
		{"condition read early", "p.s.Lock.Lock()\nif p.s.Open {\np.s.Size++\n}\np.s.Lock.Unlock()", "p.s.Open: read before p.s.Lock.Lock()", "seen := p.s.Open\np.s.Lock.Lock()\nif seen {\np.s.Size++\n}\np.s.Lock.Unlock()"},
		{"negated", "if p.s.Open {\np.s.Size++\n}", "if p.s.Open: negated", "if !p.s.Open {\np.s.Size++\n}"},
		{"opposite", "if p.s.Size < 3 {\np.s.Size++\n}", "if p.s.Size < 3: negated", "if p.s.Size >= 3 {\np.s.Size++\n}"},
		{"one side", "if p.s.Open && i != nil {\np.s.Size++\n}", "if p.s.Open && i != nil: without i != nil", "if p.s.Open {\np.s.Size++\n}"},
		{"other side", "if p.s.Open && i != nil {\np.s.Size++\n}", "if p.s.Open && i != nil: without p.s.Open", "if i != nil {\np.s.Size++\n}"},
		{"boundary", "if p.s.Size < 3 {\np.s.Size++\n}", "if p.s.Size < 3: p.s.Size <= 3", "if p.s.Size <= 3 {\np.s.Size++\n}"},
		{"equality", "p.s.Open = i == nil", "p.s.Open = i == nil: negated", "p.s.Open = i != nil"},
		{"constant", "if p.s.Size < 3 {\np.s.Size++\n}", "if p.s.Size < 3: 4 for 3", "if p.s.Size < 4 {\np.s.Size++\n}"},
		{"true", "p.s.Open = true", "p.s.Open = true: false for true", "p.s.Open = false"},
		{"sum", "p.s.Size = p.s.Max + 2", "p.s.Size = p.s.Max + 2: p.s.Max - 2", "p.s.Size = p.s.Max - 2"},
		{"count", "p.s.Size++", "p.s.Size++: --", "p.s.Size--"},
		{"similar", "p.s.Head = i", "p.s.Head = i: Tail for Head", "p.s.Tail = i"},
		{"similar cell", "i.Count.Set(i.Count.Get() + 1)", "i.Count.Set(i.Count.Get() + 1): i.Count.Get() - 1", "i.Count.Set(i.Count.Get() - 1)"},
		{"split compare-and-swap", "for !p.s.Number.CompareAndSwap(1, 2) {\np.s.Size++\n}", "p.s.Number.CompareAndSwap(1, 2): split into a load and a store", "for !splitCompareAndSwap(&p.s.Number, 1, 2) {\np.s.Size++\n}"},
		{"blind store", "for !p.s.Number.CompareAndSwap(1, 2) {\np.s.Size++\n}", "p.s.Number.CompareAndSwap(1, 2): a store, whatever is there", "for !blindStore(&p.s.Number, 1, 2) {\np.s.Size++\n}"},
		{"split add", "p.s.Number.Add(1)", "p.s.Number.Add(1): split into a load and a store", "splitAdd(&p.s.Number, 1)"},
		{"given up", "for {\nif p.s.Number.CompareAndSwap(1, 2) {\nreturn\n}\n}", "for { if p.s.Number.CompareAndSwap(1, 2): given up after one try", "for range 1 {\nif p.s.Number.CompareAndSwap(1, 2) {\nreturn\n}\n}\nreturn"},
		{"read after", "n := p.s.Number.Load()\nif p.s.Number.CompareAndSwap(1, 2) {\np.s.Size = int(n)\n}", "n := p.s.Number.Load(): in the body, after p.s.Number.CompareAndSwap(1, 2)", "if p.s.Number.CompareAndSwap(1, 2) {\nn := p.s.Number.Load()\n\np.s.Size = int(n)\n}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all := body(t, tt.code)
			m := all[tt.mutation]
			var names []string
			for name := range all {
				names = append(names, name)
			}
			require.NotNil(t, m, "there are only:\n%s", strings.Join(names, "\n"))
			assert.Equal(t, tt.want, inner(m.Source))
		})
	}
}

// inner is the body of a function without its indentation and empty lines at its ends.
func inner(source string) string {
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.TrimSpace(strings.Join(lines[1:len(lines)-1], "\n"))
}

// TestFilter: what does not compile, changes nothing, or is there already is no mutation.
func TestFilter(t *testing.T) {
	all := body(t, "n := p.s.Size\nif n > 0 {\np.s.Size = n\n}")
	seen := map[string]string{}
	for name, m := range all {
		assert.NotEqual(t, m.Original(), m.Source, name)
		assert.Empty(t, seen[m.Source], name)
		seen[m.Source] = name
	}
	assert.NotContains(t, all, "n := p.s.Size: left out", "n is used")
	assert.NotContains(t, all, "n := p.s.Size and if n > 0: swapped", "n is used")
	for name := range body(t, `p.s.Throw("a"+"b", 7)`) {
		assert.NotContains(t, name, "7: ", "what is said to people is not changed")
	}
}

// TestNames: they are the same whatever stands elsewhere, and no two are the same.
func TestNames(t *testing.T) {
	s := mutationsOf(t, `
func (p *queue) F(i *item) { p.s.Size++; p.s.Ready(i); p.s.Size++ }
func (p *queue) Same() { help(p.s) }
func (s *sched) Same() { s.Size++ }
func help(s *sched) { s.Same() }
func unused(s *sched) { s.Size-- }
`)
	names := map[string]bool{}
	for _, m := range s.Mutations {
		assert.False(t, names[m.Name], m.Name)
		names[m.Name] = true
	}
	assert.Contains(t, names, "F: p.s.Size++: left out")
	assert.Contains(t, names, "F: p.s.Size++: left out (2)")
	assert.Contains(t, names, "sched.Same: s.Size++: left out", "a helper's")
	assert.Contains(t, names, "queue.Same: help(p.s): left out")
	for name := range names {
		assert.NotContains(t, name, "unused:", "no part uses it")
		assert.NotContains(t, name, "NewQueue", "a constructor")
	}
}

// TestRules: what is excused, and what only looks like it.
func TestRules(t *testing.T) {
	for _, tt := range []struct{ code, mutation, rule string }{
		{"i.Next = nil\np.s.Size++", "i.Next = nil and p.s.Size++: swapped", apart},
		{"i.Link.Set(nil)\np.s.First.Set(i)", "i.Link.Set(nil) and p.s.First.Set(i): swapped", apart},
		{"i.Next = nil\ni.Prev = i.Next", "i.Next = nil and i.Prev = i.Next: swapped", ""},
		{"i.Next = nil\ni.Next = i", "i.Next = nil and i.Next = i: swapped", ""},
		{"i.Next = nil\np.s.Head.Next = i", "i.Next = nil and p.s.Head.Next = i: swapped", ""},
		{"i.Next = nil\np.s.Number.Store(1)", "i.Next = nil and p.s.Number.Store(1): swapped", ""},
		{"i.Next = nil\np.s.Ready(i)", "i.Next = nil and p.s.Ready(i): swapped", ""},
		{"i.Link.Set(nil)\np.s.Lock.Lock()", "i.Link.Set(nil) and p.s.Lock.Lock(): swapped", ""},
		{"s := p.s\np.s.Lock.Lock()\ns.Size++", "s := p.s and p.s.Lock.Lock(): swapped", onlyLocals},
		{"n := p.s.Size\np.s.Lock.Lock()\np.s.Max = n", "n := p.s.Size and p.s.Lock.Lock(): swapped", ""},
		{"p.s.Size++\nif p.s.Open {\nreturn\n}", "if p.s.Open { return }: return left out", nothingBehind},
		{"for p.s.Size < 3 {\np.s.Size++\nif p.s.Open {\ncontinue\n}\n}", "if p.s.Open { continue }: left out", nothingBehind},
		{"n := &p.s.First\np.s.Ready(i)\nn.Set(i)", "n := &p.s.First and p.s.Ready(i): swapped", onlyLocals},
		{"p.s.Ready(i)\nn := &p.s.First\nn.Set(i)", "p.s.Ready(i) and n := &p.s.First: swapped", onlyLocals},
		{"n := &p.s.Head.Link\np.s.Ready(i)\nn.Set(i)", "n := &p.s.Head.Link and p.s.Ready(i): swapped", ""},
		{"n := p.s.Size\nif n < m {\nm = n\n}\np.s.Max = m", "if n < m: n <= m", sameAnyway},
		{"n := p.s.Size\nif m == 0 || m > n {\nm = n\n}\np.s.Max = m", "if m == 0 || m > n: m >= n", sameAnyway},
		{"n := p.s.Size\nif m == 0 || m > n {\nm = n\n}\np.s.Max = m", "if m == 0 || m > n: m != 0", ""},
		{"n := p.s.Size\nif n < m {\nm = n\np.s.Open = true\n}\np.s.Max = m", "if n < m: n <= m", ""},
		{"n := p.s.Size\nif n < m {\nm = n\n} else {\np.s.Open = true\n}\np.s.Max = m", "if n < m: n <= m", ""},
		{"if p.s.Size < p.s.Max {\np.s.Size = p.s.Max\n}", "if p.s.Size < p.s.Max: p.s.Size <= p.s.Max", ""},
		{"p.s.Lock.Lock()\nif m > 1 {\np.s.Size++\n}\np.s.Lock.Unlock()", "m > 1: read before p.s.Lock.Lock()", onlyLocals},
		{"p.s.Lock.Lock()\nif p.s.Size > 1 {\np.s.Size++\n}\np.s.Lock.Unlock()", "p.s.Size > 1: read before p.s.Lock.Lock()", ""},
		{"s := p.s\nif i == nil {\nreturn\n}\ns.Size++", "s := p.s and if i == nil: swapped", onlyLocals},
		{"n := p.s.Size\nif p.s.Open {\nreturn\n}\np.s.Max = n", "n := p.s.Size and if p.s.Open: swapped", ""},
		{"n := m\nif p.s.Number.Load() == 1 {\nm = 2\nreturn\n}\np.s.Max = n", "n := m and if p.s.Number.Load() == 1: swapped", ""},
		{"s := p.s\nfor p.s.Open {\nif p.s.Number.Load() == 1 {\nbreak\n}\n}\ns.Size++", "s := p.s and for p.s.Open: swapped", ""},
		{"s := p.s\nif i == nil {\nreturn\n}\nf := func() { s.Size++ }\nf()", "s := p.s and if i == nil: swapped", onlyLocals},
		{"n := 0\nf := func() { n++ }\nn = m\np.s.Ready(i)\nf()\np.s.Max = n", "n = m and p.s.Ready(i): swapped", ""},
		{"if m > 0 {\nreturn\n}\nif m < 0 {\np.s.Ready(i)\n}", "if m > 0 and if m < 0: swapped", exclusive},
		{"if m == 1 {\np.s.Ready(i)\n}\nif m >= 2 {\np.s.Size++\n}", "if m == 1 and if m >= 2: swapped", exclusive},
		{"if m >= 0 {\nreturn\n}\nif m <= 0 {\np.s.Ready(i)\n}", "if m >= 0 and if m <= 0: swapped", ""},
		{"if m > 0 {\nm = -1\n}\nif m < 0 {\np.s.Ready(i)\n}", "if m > 0 and if m < 0: swapped", ""},
		{"if m > 0 {\nreturn\n}\nif m < 0 {\np.s.Ready(i)\n} else {\np.s.Size++\n}", "if m > 0 and if m < 0: swapped", ""},
		{"n := m\nif m > 0 {\nreturn\n}\nif n < 0 {\np.s.Ready(i)\n}", "if m > 0 and if n < 0: swapped", ""},
		{"if p.s.Size > 0 {\nreturn\n}\nif p.s.Size < 0 {\np.s.Ready(i)\n}", "if p.s.Size > 0 and if p.s.Size < 0: swapped", ""},
		{"f := func() { m = -1 }\nif m > 0 {\nf()\n}\nif m < 0 {\np.s.Ready(i)\n}", "if m > 0 and if m < 0: swapped", ""},
		{"p.s.Size = 9 | one", "p.s.Size = 9 | one: one-1", sameValue},
		{"p.s.Size = 9 | one", "p.s.Size = 9 | one: one+1", ""},
		{"p.s.Size = m | one", "p.s.Size = m | one: one-1", ""},
		{"p.s.Size = 1 << one >> 1", "p.s.Size = 1 << one >> 1: one-1", ""},
	} {
		m := body(t, tt.code)[tt.mutation]
		if assert.NotNil(t, m, tt.mutation) {
			assert.Equal(t, tt.rule, m.Rule, tt.mutation)
		}
	}
}

// TestCalculations: a function that only calculates does not matter to the order.
func TestCalculations(t *testing.T) {
	const calls = "func (p *queue) F(i *item) {\np.s.Size = f(p.s.Size)\np.s.Max = f(p.s.Max)\n}\n"
	for _, tt := range []struct{ code, rule string }{
		{calls + "func f(n int) int {\nif n > 0 {\nreturn int(int64(n) + 1)\n}\nreturn n\n}", apart},
		{calls + "func f(n int) int {\nfor n > 0 {\nn++\n}\nreturn n\n}", ""},
		{calls + "func f(n int) int { return 6 / n }", ""},
		{calls + "func f(n int) int { return g(n) }\nfunc g(n int) int { return n }", ""},
		{calls + "var total int\nfunc f(n int) int {\ntotal += n\nreturn total\n}", ""},
		{"func (p *queue) F(i *item) {\np.s.Size = f(p.s)\np.s.Max = f(p.s)\n}\nfunc f(s *sched) int { return s.Size + s.Max }", ""},
	} {
		s := mutationsOf(t, tt.code)
		at := slices.IndexFunc(s.Mutations, func(m *Mutation) bool {
			return strings.HasPrefix(m.Name, "F: ") && strings.HasSuffix(m.Name, ": swapped")
		})
		if assert.GreaterOrEqual(t, at, 0, tt.code) {
			assert.Equal(t, tt.rule, s.Mutations[at].Rule, tt.code)
		}
	}
}

func TestEquivalent(t *testing.T) {
	reasons, err := parseEquivalent("# about\n\nA: x: left out\nB: y: swapped\n\tThe owner\n\tis alone.\n\nC: z: --\n  Why.\n")
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"A: x: left out": "The owner is alone.", "B: y: swapped": "The owner is alone.", "C: z: --": "Why."}, reasons)
	for text, want := range map[string]string{
		"A: x\n":                    `"A: x" has no reason`,
		"\tWhy.\n":                  "line 1: a reason without a name",
		"A: x\n\tWhy.\nA: x\n\tNo.": `line 3: "A: x" is there twice`,
	} {
		_, err := parseEquivalent(text)
		assert.EqualError(t, err, want)
	}
}
