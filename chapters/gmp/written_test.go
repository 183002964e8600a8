package gmp

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
)

func TestWritten(t *testing.T) {
	queue := Version{GlobalQueue: func(*Sched) GlobalQueue { return nil }, Loop: func(*Sched) Loop { return nil }}
	own := map[string]Version{"ch02": queue, "ch05": queue}
	file := func(body string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("package p\n\nfunc f() {\n" + body + "\n}\n")}
	}
	written, unwritten := Written(own, fstest.MapFS{
		"ch02_one/a.go":      file(`	panic(gmp.TODO("Globrunqput"))`),
		"ch02_one/b.go":      file(`	// panic(gmp.TODO("Execute"))`),
		"ch02_one/b_test.go": file(`	panic(gmp.TODO("Schedule"))`),
		"ch05_many/a.go":     file(`	println("TODO(Schedule)")`),
		"ch05_many/bad.go":   {Data: []byte(`package p; func f() { panic(gmp.TODO("Execute") }`)},
	})
	assert.Equal(t, []string{"GlobalQueue (ch02)"}, unwritten)
	assert.Equal(t, []string{"Loop"}, written["ch02"].partNames(), "a part with a TODO does not serve, not even in part")
	assert.Equal(t, []string{"Loop", "GlobalQueue"}, written["ch05"].partNames())
}
