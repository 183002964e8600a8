package main

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"gosched/chapters"
)

// findChapter returns the chapter that name means: "ch01", "1", "01", "ch1",
// "goroutine", "ch01_goroutine" or a path that ends so.
func (a *app) findChapter(name string) (chapters.Chapter, bool) {
	name = strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	number, err := numberIn(name)
	for _, ch := range a.course {
		id, word, _ := strings.Cut(ch.Dir, "_")
		if name == id || name == word || name == ch.Dir || err == nil && fmt.Sprintf("ch%02d", number) == id {
			return ch, true
		}
	}
	return chapters.Chapter{}, false
}

// chapter is findChapter for the argument of a command that needs one whose
// suite is written.
func (a *app) chapter(name string) (chapters.Chapter, error) {
	ch, ok := a.findChapter(name)
	if !ok && isNumber(name) {
		return ch, a.noNumber(name)
	}
	if !ok {
		return ch, usagef("there is no chapter %q%s", name, didYouMean(name, a.chapterNames()))
	}
	if ch.Suite == nil {
		return ch, usagef("chapter %s, %s, is %s", number(ch), ch.Title, a.toCome())
	}
	return ch, nil
}

// isNumber reports whether name is meant to be the number of a chapter: "42", "ch42".
func isNumber(name string) bool {
	_, err := numberIn(strings.ToLower(name))
	return err == nil
}

// numberIn is the number of a chapter in a name for it: "7", "ch07", "chapter7".
func numberIn(name string) (int, error) {
	return strconv.Atoi(strings.TrimPrefix(strings.TrimPrefix(name, "chapter"), "ch"))
}

// noNumber is the error for a number that no chapter has.
func (a *app) noNumber(name string) error {
	return usagef("there is no chapter %q; the course has chapters %s to %s", name, number(a.course[0]), number(a.course[len(a.course)-1]))
}

// written returns the chapters that have a suite.
func (a *app) written() []chapters.Chapter {
	return slices.DeleteFunc(slices.Clone(a.course), func(ch chapters.Chapter) bool { return ch.Suite == nil })
}

// number is the chapter's number as people say it: "1".
func number(ch chapters.Chapter) string {
	return strings.TrimLeft(strings.TrimPrefix(ch.ID, "ch"), "0")
}

// chapterNames are the names by which chapters are suggested.
func (a *app) chapterNames() []string {
	var names []string
	for _, ch := range a.course {
		id, word, _ := strings.Cut(ch.Dir, "_")
		names = append(names, id, word)
	}
	return names
}

// A selection is what the arguments of test name.
type selection struct {
	chapters []chapters.Chapter
	checks   []string // nil: all
}

// selectChecks reads arguments that name chapters and checks. Without a chapter they are
// checks of current. What follows a chapter is a check of it first: chapter 5 is named
// threads, and so is one of its checks.
func (a *app) selectChecks(args []string, current chapters.Chapter) (selection, error) {
	var sel selection
	var rest []string
	for _, arg := range args {
		if id, name, ok := strings.Cut(arg, "/"); ok && !strings.Contains(name, "/") {
			if ch, ok := a.findChapter(id); ok && ch.Suite != nil && ch.Suite.Check(name) != nil {
				sel.add(ch)
				rest = append(rest, name)
				continue
			}
		}
		if sel.has(arg) {
			rest = append(rest, arg)
			continue
		}
		if ch, ok := a.findChapter(arg); ok {
			if _, err := a.chapter(arg); err != nil {
				return sel, err
			}
			sel.add(ch)
			continue
		}
		rest = append(rest, arg)
	}
	if len(sel.chapters) == 0 {
		sel.add(current)
	}
	for _, name := range rest {
		var names []string
		for _, ch := range sel.chapters {
			for _, c := range ch.Suite.Checks {
				names = append(names, c.Name)
			}
		}
		if !slices.Contains(names, name) {
			return sel, a.unknown(name, sel.chapters, names)
		}
		sel.checks = append(sel.checks, name)
	}
	if sel.checks != nil {
		sel.chapters = slices.DeleteFunc(sel.chapters, func(ch chapters.Chapter) bool {
			return !slices.ContainsFunc(sel.checks, func(name string) bool { return ch.Suite.Check(name) != nil })
		})
	}
	return sel, nil
}

// has reports whether a chapter that was named has such a check.
func (s *selection) has(check string) bool {
	return slices.ContainsFunc(s.chapters, func(ch chapters.Chapter) bool { return ch.Suite.Check(check) != nil })
}

func (s *selection) add(ch chapters.Chapter) {
	if !slices.ContainsFunc(s.chapters, func(c chapters.Chapter) bool { return c.ID == ch.ID }) {
		s.chapters = append(s.chapters, ch)
	}
}

// unknown is the error for an argument that is neither a chapter nor a check of
// the chapters in question.
func (a *app) unknown(name string, of []chapters.Chapter, checks []string) error {
	var ids []string
	for _, ch := range of {
		ids = append(ids, ch.ID)
	}
	for _, ch := range a.written() {
		if ch.Suite.Check(name) != nil {
			return usagef("%s is a check of %s: test %s %s", name, ch.ID, ch.ID, name)
		}
	}
	if isNumber(name) {
		return a.noNumber(name)
	}
	near := didYouMean(name, append(slices.Clone(checks), a.chapterNames()...))
	return usagef("%q is neither a chapter nor a check of %s%s", name, strings.Join(ids, ", "), near)
}

// didYouMean suggests up to three of the names that are near to what was typed.
func didYouMean(typed string, names []string) string {
	typed = strings.ToLower(typed)
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	for _, name := range names {
		lower := strings.ToLower(name)
		d := distance(typed, lower)
		if len(typed) > 1 && d <= max(1, len(typed)/3) || len(typed) > 2 && strings.Contains(lower, typed) {
			near = append(near, candidate{name, d})
		}
	}
	if len(near) == 0 {
		return ""
	}
	slices.SortStableFunc(near, func(a, b candidate) int {
		return cmp.Or(a.distance-b.distance, strings.Compare(a.name, b.name))
	})
	near = slices.Compact(near) // chapter 5 and a check of it have the same name
	var words []string
	for _, c := range near[:min(3, len(near))] {
		words = append(words, c.name)
	}
	return "; did you mean " + strings.Join(words, " or ") + "?"
}

// distance is how many letters must be put in, taken out or changed, or pairs
// of neighbours swapped, to make b of a.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			rows[i][j] = min(change, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
