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
	assert.Equal(t, Unwritten{"ch02": {"GlobalQueue"}}, unwritten)
	assert.Equal(t, []string{"Loop"}, written["ch02"].partNames(), "a part with a TODO does not serve, not even in part")
	assert.Equal(t, []string{"Loop", "GlobalQueue"}, written["ch05"].partNames())
}

// Only those count that the release has in that chapter's form.
func TestUnwrittenIn(t *testing.T) {
	u := Unwritten{"ch02": {"Loop", "GlobalQueue"}, "ch04": {"Waitqs", "Semaphores"}, "ch03": {"Waitqs"}, "ch07": {"RunQueue"}}
	assert.Equal(t, []string{"Loop, GlobalQueue (ch02)", "Waitqs, Semaphores (ch04)"}, u.In("0.x"))
	assert.Equal(t, []string{"GlobalQueue (ch02)", "Waitqs, Semaphores (ch04)", "RunQueue (ch07)"}, u.In("1.14"))
	assert.Equal(t, []string{"Loop, GlobalQueue (ch02)", "Waitqs, Semaphores (ch04)", "RunQueue (ch07)"}, u.In("0.x", "1.5"))
	assert.Empty(t, u.In("2.0", ""))
	assert.Empty(t, Unwritten{}.In("0.x"))
}
