package update

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// news says what is new in the new version.
func (p *planning) news() {
	course := 0
	for _, s := range p.Steps {
		if !strings.HasPrefix(s.Name, exercises) && s.Name != SumsName {
			course++
		}
	}
	if course > 0 {
		p.News = append(p.News, fmt.Sprintf("%d files of the course are new, changed or gone.", course))
	}
	for _, dir := range p.chapters() {
		p.chapterNews(dir)
	}
}

// chapters are the folders of the exercises, of both versions.
func (p *planning) chapters() []string {
	dirs := map[string]bool{}
	for _, files := range []map[string][]byte{p.Given, p.next} {
		for name := range files {
			if parts := strings.Split(name, "/"); len(parts) == 3 && parts[0]+"/" == exercises && strings.HasPrefix(parts[1], "ch") {
				dirs[parts[1]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(dirs))
}

// chapterNews says what is new in one of them.
func (p *planning) chapterNews(dir string) {
	id, _, _ := strings.Cut(dir, "_")
	page := path.Join(exercises, dir, "README.md")
	before, after := checks(p.Given[page]), checks(p.next[page])
	switch {
	case p.Given[page] == nil:
		p.News = append(p.News, fmt.Sprintf("%s is new: %d checks.", id, len(after)))
		return
	case p.next[page] == nil:
		p.News = append(p.News, id+" is no longer handed out.")
		return
	}
	tell := func(what string, names []string) {
		if len(names) > 0 {
			p.News = append(p.News, fmt.Sprintf("%s: %s: %s.", id, what, strings.Join(names, ", ")))
		}
	}
	added, gone, changed := compare(before, after)
	tell("new checks", added)
	tell("checks that are gone", gone)
	tell("checks with other points or another sentence", changed)
	predictions := path.Join(exercises, dir, "predict_test.go")
	added, gone, _ = compare(p.functions(p.Given, predictions), p.functions(p.next, predictions))
	tell("new predictions", added)
	tell("predictions that are gone", gone)
	var files []string
	for name, next := range p.next {
		if was, had := p.Given[name]; path.Dir(name) == path.Join(exercises, dir) && name != page && (!had || !alike(was, next)) {
			files = append(files, path.Base(name))
		}
	}
	slices.Sort(files)
	tell("files of the exercise that are new or changed", files)
	withheld := path.Join("solutions", dir, "given.json")
	if _, there, err := p.current(withheld); err == nil && there && p.next[withheld] == nil {
		p.News = append(p.News, id+": the solution is there now: diff "+id+" compares yours with it.")
	}
}

// checks are the rows of the table of checks on the page of an exercise, by the names of the
// checks.
func checks(page []byte) map[string]string {
	rows := map[string]string{}
	_, table, _ := strings.Cut(string(plain(page)), "\n## Checks\n")
	for line := range strings.Lines(table) {
		cells := strings.SplitN(line, "|", 3)
		if len(cells) < 3 {
			continue
		}
		if name := strings.TrimSpace(cells[1]); name != "Check" && !strings.HasPrefix(name, "--") {
			rows[name] = cells[2]
		}
	}
	return rows
}

// functions are the functions of a file that a student writes.
func (p *planning) functions(files map[string][]byte, name string) map[string]string {
	found := map[string]string{}
	for _, function := range p.Functions(name, files[name]) {
		if !strings.HasPrefix(function, "Test") {
			found[function] = ""
		}
	}
	return found
}

// compare returns the keys that are only in after, only in before, and those with another value.
func compare(before, after map[string]string) (added, gone, changed []string) {
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if was, ok := before[name]; !ok {
			added = append(added, name)
		} else if was != after[name] {
			changed = append(changed, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[name]; !ok {
			gone = append(gone, name)
		}
	}
	return added, gone, changed
}
