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
	// Coming is a chapter, "ch17", of which a part may still be to come. As long as its
	// suite grades none of Methods, places in that chapter need not exist; from then on
	// all of them must.
	Coming string
}

// A Course is what the places of mechanisms are looked for in.
type Course struct {
	Files    fs.FS // the repository
	Chapters []chapters.Chapter
}

// ToCome reports whether a part of a mechanism is still to come.
func (c Course) ToCome(m Mechanism) bool {
	for _, ch := range c.Chapters {
		if ch.ID != m.Coming || ch.Suite == nil {
			continue
		}
		for _, k := range ch.Suite.Checks {
			if grades(k, m) {
				return false
			}
		}
	}
	return m.Coming != ""
}

// grades reports whether a check grades one of the methods of a mechanism.
func grades(k check.Check, m Mechanism) bool {
	return slices.ContainsFunc(m.Methods, func(full string) bool {
		_, method, _ := strings.Cut(full, ".")
		return slices.Contains(k.Methods, method)
	})
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
	toCome := c.ToCome(m)
	comes := func(place string) bool { return toCome && Chapter(place) == Chapter(m.Coming) }
	graded := false
	for _, place := range m.Checks {
		switch found := c.Lookup(place); {
		case found != nil:
			graded = graded || grades(*found, m)
		case !comes(place):
			fail("there is no check %s", place)
		}
	}
	if len(m.Methods) > 0 && len(m.Checks) > 0 && !graded && !toCome {
		fail("none of its checks grades one of its methods")
	}
	for _, section := range m.Sections {
		if err := c.section(section); err != nil && !comes(section) {
			fail("%v", err)
		}
	}
	for _, file := range m.Programs {
		if _, err := fs.Stat(c.Files, file); err != nil {
			fail("there is no program %s", file)
		}
	}
	switch {
	case len(m.Sections) == 0:
		fail("no section of the book explains it")
	case len(m.Checks)+len(m.Programs) == 0:
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
