package policy

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

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
		"package ch07\n\nfunc f() { Parts = gmp.Version{} }\n":   false,
		"package ch07\n\nfunc f() {":                             false,
		parts + "func f() *int {\n\tvar n int\n\treturn &n\n}\n": true,
	} {
		assert.Equal(t, want, Forgets([]byte(text)), text)
	}
}
