package diff

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Comments and empty lines are no code; strings that look like comments, and directives, are.
func TestCode(t *testing.T) {
	const mine = "// This file is yours.\n\npackage a\n\n// F does.\n// It holds.\nfunc F() string {\n\t// mine\n\tx := 1 // one\n\n\treturn \"// no\" + /* here */ string(x)\n}\n\n//go:noinline\nfunc G() {}\n"
	const theirs = "// Package a.\npackage a\n\n// F is other.\n//\n//course:exercise\nfunc F() string {\n\tx   := 1\n\t//course:step a\n\treturn \"// no\" + string(x)\n}\n\n//go:noinline\nfunc G() {}\n"
	const code = "package a\n\nfunc F() string {\n\tx := 1\n\treturn \"// no\" + string(x)\n}\n\n//go:noinline\nfunc G() {}\n"
	assert.Equal(t, code, Code([]byte(mine)))
	assert.Equal(t, code, Code([]byte(theirs)))
	assert.Equal(t, "package (", Code([]byte("package (")))
}
