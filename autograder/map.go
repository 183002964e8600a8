package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gosched/autograder/grade"
	"gosched/autograder/handout"
	"gosched/autograder/screen"
	"gosched/chapters"
	"gosched/chapters/check"
)

// showMap prints the chapters, how far each one is, and the next step. It runs
// nothing: it tells what the last run of the checks has shown.
func (a *app) showMap() error {
	s := a.loadState()
	score, alone, maxScore := 0, 0, 0
	for _, ch := range a.written() {
		score += s[ch.ID].score(ch)
		alone += s[ch.ID].alone(ch)
		maxScore += ch.Suite.MaxScore()
	}
	a.out.Ends(screen.Bold, "Write the Go scheduler", fmt.Sprintf("%d of %d points", score, maxScore))
	if text := fmt.Sprintf("%d of them without the steps of the hints", alone); score > 0 && len(text) < a.out.Width {
		a.out.Ends(screen.Dim, "", text)
	}
	a.out.Println()
	titles := 0
	for _, ch := range a.course {
		titles = max(titles, len([]rune(ch.Title)))
	}
	for _, ch := range a.course {
		a.mapLine(ch, s[ch.ID], titles)
	}
	a.out.Println()
	a.nextStep(s)
	return nil
}

// barCells is the length of the bar that shows how many points were reached.
const barCells = 10

// mapLine prints one chapter: number, title, Go versions, bar, score and state,
// as far as the screen has room for them.
func (a *app) mapLine(ch chapters.Chapter, st *chapterState, titles int) {
	const goColumn = 9 // "1.14–1.23"
	wide := a.out.Width >= 2+4+titles+2+goColumn+2+barCells+2+len("not started")+1
	right := ""
	style := screen.Plain
	switch word := chapterWord(a, ch, st); {
	case ch.Suite == nil && wide:
		right, style = a.toCome(), screen.Dim
	case ch.Suite == nil:
		right, style = "–", screen.Dim
	case wide:
		right = fmt.Sprintf("%3d/%d", st.score(ch), ch.Suite.MaxScore())
		if word != "" {
			right = word
		}
	default:
		right = fmt.Sprintf("%d/%d", st.score(ch), ch.Suite.MaxScore())
	}
	left := fmt.Sprintf("  %2s  ", number(ch))
	if !wide {
		a.out.Ends(style, left+a.out.Cut(ch.Title, a.out.Width-len(left)-len([]rune(right))-1), right)
		return
	}
	left += screen.Pad(ch.Title, titles) + "  " + screen.Pad(ch.Go, goColumn) + "  "
	if ch.Suite == nil {
		a.out.Println(a.out.Paint(style, left+right))
		return
	}
	full := 0
	if most := ch.Suite.MaxScore(); most > 0 {
		full = st.score(ch) * barCells / most
	}
	bar := a.out.Paint(screen.Green, strings.Repeat("█", full)) + a.out.Paint(screen.Dim, strings.Repeat("░", barCells-full))
	a.out.Println(left + bar + "  " + right)
}

// toCome says of a chapter without a suite why it has none.
func (a *app) toCome() string {
	if handout.Is(a.root) {
		return "not handed out yet"
	}
	return "not written yet"
}

// chapterWord says in a word or two how it stands with a chapter, "" if the
// score says it all.
func chapterWord(a *app, ch chapters.Chapter, st *chapterState) string {
	switch {
	case ch.Suite == nil:
		return ""
	case st.untouched(ch):
		return "not started"
	case st.Sources != a.sources(ch):
		return fmt.Sprintf("%3d/%d, edited", st.score(ch), ch.Suite.MaxScore())
	case st.count(ch, check.BuildError) == len(ch.Suite.Checks):
		return "does not compile"
	case st.Own == grade.OwnFail:
		return fmt.Sprintf("%3d/%d, own stack fails", st.score(ch), ch.Suite.MaxScore())
	}
	return ""
}

// nextStep says what to do now.
func (a *app) nextStep(s state) {
	ch, err := a.current(s)
	if err != nil {
		return
	}
	st := s[ch.ID]
	const column = 7
	step := func(label, text string) { a.out.Command(2, column, label, text) }
	switch {
	case st.count(ch, check.Pass) == len(ch.Suite.Checks):
		a.out.Wrapped(0, "All chapters that are written pass. Play a program on your own scheduler:")
		step("play", invocation+" play FILE.go --parts exercises")
		return
	case st.untouched(ch):
		a.out.Wrapped(0, fmt.Sprintf("Next: chapter %s, %s.", number(ch), ch.Title))
	case st.count(ch, check.BuildError) == len(ch.Suite.Checks):
		a.out.Wrapped(0, fmt.Sprintf("Next: chapter %s, %s. It does not compile yet.", number(ch), ch.Title))
	default:
		done := st.count(ch, check.Pass)
		a.out.Wrapped(0, fmt.Sprintf("Next: chapter %s, %s. %d of its %d checks pass.", number(ch), ch.Title, done, len(ch.Suite.Checks)))
	}
	step("read", invocation+" book "+ch.ID)
	if _, err := os.Stat(a.path(grade.Exercises, ch.Dir)); err != nil {
		step("make", invocation+" gen")
	}
	step("write", filepath.Join(grade.Exercises, ch.Dir)+string(filepath.Separator))
	step("check", invocation+" test "+ch.ID)
}
