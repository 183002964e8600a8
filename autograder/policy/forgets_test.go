package policy

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// table is the beginning of a file.
const table = "package ch01\n\nvar t = [...]uint32{1: 1 << 4, 4: k}\n\n"

// A part that could keep something between two checks has a process for each.
func TestForgets(t *testing.T) {
	const parts = "package ch07\n\nvar Parts = gmp.Version{RunQueue: NewRunQueue}\n\n"
	for text, want := range map[string]bool{
		"package ch07\n":        true,
		parts:                   true,
		parts + "const k = 1\n": true,
		parts + "var _ gmp.RunQueue = &runQueue{}\n":             true,
		parts + "func f() { var n int; n++ }\n":                  true,
		parts + "var calls int\n":                                false,
		parts + "var (\n\t_ int\n\tcalls int\n)\n":               false,
		parts + "var _, calls int\n":                             false,
		parts + "func f() { Parts = gmp.Version{} }\n":           false,
		parts + "func f() { p := &Parts; p.RunQueue = nil }\n":   false,
		"package ch07\n\nfunc f() {":                             false,
		parts + "func f() *int {\n\tvar n int\n\treturn &n\n}\n": true,

		// What is handed over holds functions that keep nothing.
		"package ch13\n\nvar Given = gmp.Version{Stacks: func(s *gmp.Sched) gmp.Stacks { return given{} }}\n": true,
		"package ch07\n\nvar Parts = gmp.Version{RunQueue: counting()}\n":                                     false,
		"package ch07\n\nvar Parts = gmp.Version{RunQueue: (&counter{}).queue}\n":                             false,
		"package ch07\n\nvar Parts = parts()\n":                                                               false,
		"package ch07\n\nvar Parts gmp.Version\n":                                                             false,

		// Tables that are only read.
		table + "func f(i int) uint32 { return t[i] & 1 << t[t[0]] }\n":                                                        true,
		table + "func f() (n int) {\n\tfor i, v := range t {\n\t\tn += i * int(v)\n\t}\n\treturn n % len(t)\n}\n":              true,
		"package ch01\n\nvar t = map[[2]uint32]bool{{1, 2}: true}\n\nfunc f(a, b uint32) bool { return t[[2]uint32{a, b}] }\n": true,
		"package ch01\n\nvar t = []string{1: \"idle\"}\n\nfunc f(i int) int { return len(t[i]) }\n":                            true,
		"package ch01\n\nvar t = [2][2]int{}\n\nfunc f(i int) int { return t[i][1] }\n":                                        true,
		table + "func f() { t[0] = 1 }\n":                                            false,
		table + "func f() { t[0]++ }\n":                                              false,
		table + "func f() { t[0] |= 1 }\n":                                           false,
		table + "func f() { (t[0]) = 1 }\n":                                          false,
		table + "func f() { t = other }\n":                                           false,
		table + "func f() *uint32 { return &t[0] }\n":                                false,
		table + "func f() []uint32 { return t[:] }\n":                                false,
		table + "func f() { p := &t; p[0] = 1 }\n":                                   false,
		table + "func f() {\n\tlen := func(a []uint32) { a[0] = 1 }\n\tlen(t)\n}\n":  false,
		table + "func f() { clear(t) }\n":                                            false,
		table + "func f() { for t[0] = range 3 {\n\t}\n}\n":                          false,
		"package ch01\n\nvar t = [2][2]int{}\n\nfunc f() { t[0][1] = 1 }\n":          false,
		"package ch01\n\nvar t = [2][2]int{}\n\nfunc f() []int { return t[0][:] }\n": false,
		"package ch01\n\nvar t = [][]int{{0}}\n\nfunc f() int { return t[0][0] }\n":  false,
		"package ch01\n\nvar t = []*int{new(int)}\n":                                 false,
		"package ch01\n\ntype int *word\n\nvar t = []int{{}}\n":                      false,
		"package ch01\n\nvar t [4]int\n":                                             false,
	} {
		assert.Equal(t, want, Forgets([]byte(text)), text)
	}
}

// What one file declares another may change.
func TestForgetsPackage(t *testing.T) {
	const other = "package ch01\n\nfunc g() { %s }\n"
	assert.True(t, Forgets([]byte(table), []byte(fmt.Sprintf(other, "_ = t[0]"))))
	assert.False(t, Forgets([]byte(table), []byte(fmt.Sprintf(other, "t[0] = 1"))))
	assert.False(t, Forgets([]byte(fmt.Sprintf(other, "Parts = gmp.Version{}")), []byte("package ch01\n\nvar Parts = gmp.Version{}\n")))
	assert.False(t, Forgets([]byte(table), []byte("package ch01\n\nfunc len([]uint32) int { return 0 }\n")))
	assert.False(t, Forgets([]byte(table), []byte("package ch01\n\ntype uint32 struct{ p *int }\n")))
}
