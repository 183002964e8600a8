// Package coverage says where in the course each mechanism of the scheduler is: which
// methods of the contracts a student writes for it, which checks see it, which sections of
// the book explain it, and which programs show it. Check finds out whether all of that
// exists.
package coverage

import (
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"gosched/chapters"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// A Mechanism is something that the scheduler of Go does, or a claim about it that the book
// examines, and its places in the course.
type Mechanism struct {
	Number  int      // from 1
	Subject string   // in a few words
	Methods []string // of the contracts: "RunQueue.Runqput"
	Checks  []string // of the suites: "ch07/put-next"
	// Sections of the book: "07_runq#runnext". They may be on the page of a chapter that
	// has none yet.
	Sections []string
	// Programs are files that can be run, from the root of the repository.
	Programs []string
	// Coming is the form, as in gmp's history, of the part that is still to be written
	// before the mechanism is all there, "" if it is.
	Coming string
}

// A Course is what the places of mechanisms are looked for in.
type Course struct {
	Files    fs.FS // the repository
	Chapters []chapters.Chapter
	Has      func(form string) bool // whether the reference parts of a form are written
}

// Chapter is the number of the chapter that a place is in, such as "7"; "" for a page that
// is of no chapter. A place is a check, or a section.
func Chapter(place string) string {
	number, _, _ := strings.Cut(strings.TrimPrefix(place, "ch"), "/")
	number, _, _ = strings.Cut(number, "_")
	if strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return strings.TrimPrefix(number, "0")
}

// Check returns what is wrong with the places of a mechanism: one sentence each.
func (c Course) Check(m Mechanism) []string {
	var problems []string
	fail := func(format string, args ...any) {
		problems = append(problems, fmt.Sprintf("mechanism %d: ", m.Number)+fmt.Sprintf(format, args...))
	}
	for _, name := range m.Methods {
		if !isMethod(name) {
			fail("the contracts have no method %s", name)
		}
	}
	graded := false
	for _, place := range m.Checks {
		found := c.Lookup(place)
		if found == nil {
			fail("there is no check %s", place)
			continue
		}
		for _, name := range m.Methods {
			_, method, _ := strings.Cut(name, ".")
			graded = graded || slices.Contains(found.Methods, method)
		}
	}
	if len(m.Methods) > 0 && len(m.Checks) > 0 && !graded {
		fail("none of its checks grades one of its methods")
	}
	for _, section := range m.Sections {
		if err := c.section(section); err != nil {
			fail("%v", err)
		}
	}
	for _, file := range m.Programs {
		if _, err := fs.Stat(c.Files, file); err != nil {
			fail("there is no program %s", file)
		}
	}
	switch {
	case m.Coming != "" && c.Has(m.Coming):
		fail("%s is written: name the checks and sections in which the mechanism is seen and explained now, and delete Coming", m.Coming)
	case m.Coming == "" && len(m.Sections) == 0:
		fail("no section of the book explains it")
	case m.Coming == "" && len(m.Checks)+len(m.Programs) == 0:
		fail("neither a check nor a program shows it")
	}
	return problems
}

// Lookup returns the check of a suite, nil if there is none. Its place is "ch07/put-next".
func (c Course) Lookup(place string) *check.Check {
	id, name, _ := strings.Cut(place, "/")
	for _, ch := range c.Chapters {
		if ch.ID != id || ch.Suite == nil {
			continue
		}
		for i := range ch.Suite.Checks {
			if ch.Suite.Checks[i].Name == name {
				return &ch.Suite.Checks[i]
			}
		}
	}
	return nil
}

// HasPage reports whether the book has the page.
func (c Course) HasPage(page string) bool {
	_, err := fs.Stat(c.Files, file(page))
	return err == nil
}

func file(page string) string { return path.Join("book/en", page+".md") }

// section returns an error unless a section exists, or is on the page of a chapter that is
// still to be written.
func (c Course) section(section string) error {
	page, id, _ := strings.Cut(section, "#")
	if !c.HasPage(page) {
		for _, ch := range c.Chapters {
			if ch.Dir == "ch"+page {
				return nil
			}
		}
		return fmt.Errorf("the book has no page %s", page)
	}
	text, err := fs.ReadFile(c.Files, file(page))
	if err != nil {
		return err
	}
	heading := regexp.MustCompile(`(?m)^##+ .*\{#` + regexp.QuoteMeta(id) + `\}$`)
	if id == "" || !heading.Match(text) {
		return fmt.Errorf("the page %s has no section {#%s}", page, id)
	}
	return nil
}

// isMethod reports whether the contracts have a method: "RunQueue.Runqput".
func isMethod(name string) bool {
	part, method, _ := strings.Cut(name, ".")
	field, ok := reflect.TypeFor[gmp.Parts]().FieldByName(part)
	if !ok || field.Type.Kind() != reflect.Interface {
		return false
	}
	_, ok = field.Type.MethodByName(method)
	return ok
}
