package gmp

import (
	"fmt"
	"slices"
	"strings"
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

func TestReached(t *testing.T) {
	reached := func(finished ...int) string {
		u := Unwritten{}
		for chapter := 1; chapter <= 18; chapter++ {
			if !slices.Contains(finished, chapter) {
				u[fmt.Sprintf("ch%02d", chapter)] = []string{"Loop"}
			}
		}
		return u.Reached()
	}
	var finished []int
	for i, want := range strings.Fields("0.x 0.x 0.x 0.x 1.0 1.1 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.14 1.14 1.14 1.14 1.26") {
		finished = append(finished, i+1)
		assert.Equal(t, want, reached(finished...), "the chapters up to %d are finished", i+1)
	}
	assert.Equal(t, "0.x", reached(), "none is finished")
	assert.Equal(t, "1.14", reached(14), "the reference stands in for the chapters before")
}
