// Package solutions assembles the versions of Go from the reference parts.
package solutions

import (
	"fmt"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions/ch01_goroutine"
	"gosched/solutions/ch02_onethread"
	"gosched/solutions/ch03_park"
	"gosched/solutions/ch04_select"
	"gosched/solutions/ch05_threads"
	"gosched/solutions/ch06_p"
	"gosched/solutions/ch07_runq"
	"gosched/solutions/ch08_loop"
	"gosched/solutions/ch09_steal"
	"gosched/solutions/ch10_spin"
	"gosched/solutions/ch11_syscall"
	"gosched/solutions/ch12_sysmon"
	"gosched/solutions/ch13_stack"
	"gosched/solutions/ch14_signal"
	"gosched/solutions/ch15_timer"
	"gosched/solutions/ch16_netpoll"
	"gosched/solutions/ch17_stw"
	"gosched/solutions/ch18_whole"
)

// forms are the parts that exist so far, by chapter and form; see gmp.Assemble.
var forms = map[string]gmp.Version{
	"ch01":       ch01.Parts,
	"ch02":       ch02.Parts,
	"ch03":       ch03.Parts,
	"ch04":       ch04.Parts,
	"ch04/list":  ch04.List,
	"ch05":       ch05.Parts,
	"ch06":       ch06.Parts,
	"ch07":       ch07.Parts,
	"ch07/1.1":   ch07.TailOnly,
	"ch08":       ch08.Parts,
	"ch09":       ch09.Parts,
	"ch10":       ch10.Parts,
	"ch10/given": ch10.Given,
	"ch11":       ch11.Parts,
	"ch11/1.0":   ch11.Go10,
	"ch12":       ch12.Parts,
	"ch12/given": ch12.Given,
	"ch13":       ch13.Parts,
	"ch13/given": ch13.Given,
	"ch14":       ch14.Parts,
	"ch15":       ch15.Parts,
	"ch15/given": ch15.Given,
	"ch16":       ch16.Parts,
	"ch16/given": ch16.Given,
	"ch17":       ch17.Parts,
	"ch18":       ch18.Parts,
	"none":       gmp.None,
}

// mutants are the wrong solutions of each chapter.
var mutants = map[string][]check.Mutant{
	"ch01": ch01.Mutants,
	"ch02": ch02.Mutants,
	"ch03": ch03.Mutants,
	"ch04": ch04.Mutants,
	"ch05": ch05.Mutants,
	"ch06": ch06.Mutants,
	"ch07": ch07.Mutants,
	"ch08": ch08.Mutants,
	"ch09": ch09.Mutants,
	"ch10": ch10.Mutants,
	"ch11": ch11.Mutants,
	"ch12": ch12.Mutants,
	"ch13": ch13.Mutants,
	"ch14": ch14.Mutants,
	"ch15": ch15.Mutants,
	"ch16": ch16.Mutants,
	"ch17": ch17.Mutants,
	"ch18": ch18.Mutants,
}

// mends are what is to be mended in each chapter.
var mends = map[string]check.Mends{
	"ch03": ch03.Mends,
	"ch04": ch04.Mends,
	"ch05": ch05.Mends,
	"ch06": ch06.Mends,
	"ch07": ch07.Mends,
	"ch08": ch08.Mends,
	"ch09": ch09.Mends,
	"ch10": ch10.Mends,
	"ch11": ch11.Mends,
	"ch12": ch12.Mends,
	"ch13": ch13.Mends,
	"ch14": ch14.Mends,
	"ch15": ch15.Mends,
	"ch16": ch16.Mends,
	"ch17": ch17.Mends,
	"ch18": ch18.Mends,
}

// harmless are changes of each chapter's solution with which nothing goes wrong.
var harmless = map[string][]check.Mutant{
	"ch01": ch01.Harmless,
	"ch02": ch02.Harmless,
	"ch03": ch03.Harmless,
	"ch04": ch04.Harmless,
	"ch05": ch05.Harmless,
	"ch06": ch06.Harmless,
	"ch07": ch07.Harmless,
	"ch08": ch08.Harmless,
	"ch09": ch09.Harmless,
	"ch10": ch10.Harmless,
	"ch11": ch11.Harmless,
	"ch12": ch12.Harmless,
	"ch13": ch13.Harmless,
	"ch14": ch14.Harmless,
	"ch15": ch15.Harmless,
	"ch16": ch16.Harmless,
	"ch17": ch17.Harmless,
	"ch18": ch18.Harmless,
}

// needs says which chapters a version must have before it can run programs.
var needs = map[string][]string{
	"0.x":  {"ch01", "ch02", "ch03", "ch04"},
	"1.0":  {"ch01", "ch02", "ch03", "ch04", "ch05"},
	"1.1":  {"ch01", "ch02", "ch03", "ch04", "ch05", "ch06", "ch07/1.1", "ch08", "ch09", "ch10", "ch11"},
	"1.2":  {"ch13"},
	"1.5":  {"ch01", "ch02", "ch03", "ch04", "ch05", "ch06", "ch07", "ch08", "ch09", "ch10", "ch11"},
	"1.14": {"ch01", "ch02", "ch03", "ch04", "ch05", "ch06", "ch07", "ch08", "ch09", "ch10", "ch11", "ch13", "ch14", "ch15"},
	"1.26": {"ch01", "ch02", "ch03", "ch04", "ch05", "ch06", "ch07", "ch08", "ch09", "ch10", "ch11", "ch13", "ch14", "ch15", "ch16", "ch17", "ch18"},
}

// Form returns the reference parts of a form, if they are written.
func Form(form string) (gmp.Version, bool) {
	v, ok := forms[form]
	return v, ok
}

// Go returns a version of Go's scheduler; an error if it cannot be played yet. A
// chapter whose own version is none of the releases is the name of that: "ch08".
func Go(release string) (gmp.Version, error) {
	if bases[release].forms != nil {
		return Base(release), nil
	}
	return gmp.Assemble(release, Form, needs[release]...)
}

// Versions lists the versions that can be played.
func Versions() []string {
	var names []string
	for _, release := range gmp.Releases {
		if _, err := Go(release); err == nil {
			names = append(names, release)
		}
	}
	return names
}

// Missing returns the chapters, as "ch11", of which a release had parts that are not
// written yet: what Go returns lacks them.
func Missing(release string) []string { return gmp.Missing(release, Form) }

// A base is a version among whose parts those of a chapter are checked.
type base struct {
	release string
	forms   []string // these take the place of the release's own
	name    string   // of the version, if it has forms
}

var bases = map[string]base{
	"ch01": {release: "0.x"},
	"ch02": {release: "0.x"},
	"ch03": {release: "0.x"},
	"ch04": {release: "0.x"},
	"ch05": {release: "1.0"},
	"ch06": {release: "1.1"},
	"ch07": {release: "1.5"}, // 1.1 has no Runnext
	"ch08": {release: "1.5", forms: []string{"ch10/given"}, name: "1.5 without spinning"},
	"ch09": {release: "1.5"},
	"ch10": {release: "1.1"},
	"ch11": {release: "1.5", forms: []string{"ch12/given"}, name: "1.5 without the monitor"},
	"ch12": {release: "1.5"},
	"ch13": {release: "1.2"},
	"ch14": {release: "1.14"},
	"ch15": {release: "1.14"},
	"ch16": {release: "1.14"},
	"ch17": {release: "1.14"},
	"ch18": {release: "1.26"},
}

// Base returns the reference version among whose parts those of a chapter are
// checked. Its own parts of that chapter are the ones that the exercise asks for,
// where the version of the time had an older form.
// Parts of it that are not written yet are absent.
func Base(chapter string) gmp.Version { return AssembleBase(chapter, Form) }

// AssembleBase is Base, made of the parts that provide returns for a form; see
// gmp.Assemble.
func AssembleBase(chapter string, provide func(form string) (gmp.Version, bool)) gmp.Version {
	b := bases[chapter]
	v, err := gmp.Assemble(b.release, upTo(chapter, provide))
	if err != nil {
		panic(fmt.Sprintf("solutions: no base for %q: %v", chapter, err))
	}
	for _, form := range append(b.forms, chapter) {
		parts, _ := provide(form)
		v = v.With(parts)
	}
	if b.name != "" {
		v.Name = b.name
	}
	return v
}

// upTo leaves out parts of the chapters after the one that is checked. Before chapter 11 there
// are neither system calls nor locked threads nor a monitor, and the loop is that of chapter 8.
// Before chapter 15 one list has the timers of all Ps.
func upTo(chapter string, provide func(form string) (gmp.Version, bool)) func(form string) (gmp.Version, bool) {
	if !strings.HasPrefix(chapter, "ch") || chapter >= "ch15" {
		return provide
	}
	return func(form string) (gmp.Version, bool) {
		if form == "ch15" || chapter < "ch11" && (strings.HasPrefix(form, "ch11") || strings.HasPrefix(form, "ch12")) {
			return gmp.Version{}, false
		}
		return provide(form)
	}
}

// Mutants returns the wrong solutions of a chapter.
func Mutants(chapter string) []check.Mutant { return mutants[chapter] }

// Mends returns what is to be mended in a chapter.
func Mends(chapter string) check.Mends { return mends[chapter] }

// Harmless returns changes of a chapter's solution with which nothing goes wrong: for
// predictions.
func Harmless(chapter string) []check.Mutant { return harmless[chapter] }
