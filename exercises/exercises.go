// Package exercises is your own scheduler: the parts of all chapters that you
// write, in one list. There is nothing to write in this file.
package exercises

import (
	"embed"
	"sync"

	"gosched/chapters/gmp"
	ch01 "gosched/exercises/ch01_goroutine"
	ch02 "gosched/exercises/ch02_onethread"
	ch03 "gosched/exercises/ch03_park"
	ch04 "gosched/exercises/ch04_select"
	ch05 "gosched/exercises/ch05_threads"
	ch06 "gosched/exercises/ch06_p"
	ch07 "gosched/exercises/ch07_runq"
	ch08 "gosched/exercises/ch08_loop"
	ch09 "gosched/exercises/ch09_steal"
	ch10 "gosched/exercises/ch10_spin"
	ch11 "gosched/exercises/ch11_syscall"
	ch12 "gosched/exercises/ch12_sysmon"
	ch13 "gosched/exercises/ch13_stack"
	ch14 "gosched/exercises/ch14_signal"
	ch15 "gosched/exercises/ch15_timer"
	ch16 "gosched/exercises/ch16_netpoll"
	ch17 "gosched/exercises/ch17_stw"
	ch18 "gosched/exercises/ch18_whole"
	"gosched/solutions"
)

// Parts are your parts, chapter by chapter.
var Parts = map[string]gmp.Version{
	"ch01": ch01.Parts,
	"ch02": ch02.Parts,
	"ch03": ch03.Parts,
	"ch04": ch04.Parts,
	"ch05": ch05.Parts,
	"ch06": ch06.Parts,
	"ch07": ch07.Parts,
	"ch08": ch08.Parts,
	"ch09": ch09.Parts,
	"ch10": ch10.Parts,
	"ch11": ch11.Parts,
	"ch12": ch12.Parts,
	"ch13": ch13.Parts,
	"ch14": ch14.Parts,
	"ch15": ch15.Parts,
	"ch16": ch16.Parts,
	"ch17": ch17.Parts,
	"ch18": ch18.Parts,
}

//go:embed ch01_goroutine/*.go ch02_onethread/*.go ch03_park/*.go ch04_select/*.go ch05_threads/*.go ch06_p/*.go ch07_runq/*.go ch08_loop/*.go ch09_steal/*.go ch10_spin/*.go ch11_syscall/*.go ch12_sysmon/*.go ch13_stack/*.go ch14_signal/*.go ch15_timer/*.go ch16_netpoll/*.go ch17_stw/*.go ch18_whole/*.go
var sources embed.FS

// written returns your parts that are complete, and the others, in which a method is still
// to be written: until it is, the reference's parts take their place.
var written = sync.OnceValues(func() (map[string]gmp.Version, gmp.Unwritten) { return gmp.Written(Parts, sources) })

// Unwritten returns those in which a method is still to be written.
func Unwritten() gmp.Unwritten {
	_, unwritten := written()
	return unwritten
}

// Go returns a version of Go's scheduler made of your parts, and of the
// reference's where you have none, or have not written them yet.
func Go(release string) (gmp.Version, error) {
	if _, err := solutions.Go(release); err != nil {
		return gmp.Version{}, err
	}
	if _, ok := Parts[release]; ok {
		return solutions.AssembleBase(release, upTo("ch99")), nil
	}
	return gmp.Assemble(release, upTo("ch99"))
}

// Own returns the version on which the checks of a chapter run to see whether
// your parts work together: your parts of that chapter, written or not, and those
// of the chapters before it that are written.
func Own(chapter string) gmp.Version {
	return solutions.AssembleBase(chapter, upTo(chapter)).With(Parts[chapter])
}

// upTo provides your written parts of the chapters up to last.
func upTo(last string) func(form string) (gmp.Version, bool) {
	complete, _ := written()
	return func(form string) (gmp.Version, bool) {
		v, ok := solutions.Form(form)
		if own := gmp.OwnForm(form); own <= last {
			v = v.With(complete[own])
		}
		return v, ok
	}
}
