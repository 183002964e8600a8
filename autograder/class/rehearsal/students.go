package rehearsal

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gosched/autograder/class"
	"gosched/autograder/grade"
	"gosched/autograder/trusted/cheat"
	"gosched/chapters"
	"gosched/chapters/check"
)

// student makes one with a folder of files.
func student(kind Kind, what string, files map[string][]byte, expected Expected) Student {
	return Student{Kind: kind, What: what, Work: []Version{{Files: files}}, Expected: expected}
}

// honest are the students who do not cheat, but for those with mutations.
func (c *course) honest() []Student {
	return slices.Concat(c.finished(), c.unfinished(), c.broken(), c.committed(), c.nothing())
}

// points are what is expected of each chapter.
func (c *course) points(share Share) map[string]Share {
	all := map[string]Share{}
	for _, ch := range c.chapters {
		all[ch.ID] = share
	}
	return all
}

// but is what is expected of each chapter, and of one of them something else.
func (c *course) but(share Share, ch chapters.Chapter, other Share) map[string]Share {
	all := c.points(share)
	all[ch.ID] = other
	return all
}

// graded is what is expected of a submission with these points.
func graded(points map[string]Share) Expected {
	return Expected{Status: class.Graded, Points: points}
}

// again is somebody who hands in the solution as somebody else has.
func (c *course) again() Student {
	return student(Solution, "the same solution", c.solved, graded(c.points(All)))
}

// finished are those who have done everything.
func (c *course) finished() []Student {
	part := c.parts(c.chapters[0])[0]
	commented, windows := c.solved, maps.Clone(c.solved)
	commented = with(commented, part, append(slices.Clip(c.solved[part]), "\n// Done on a Sunday.\n"...))
	for name, text := range windows {
		windows[name] = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	bare := map[string][]byte{}
	for name, text := range c.solved {
		bare[strings.TrimPrefix(name, grade.Exercises+"/")] = text
	}
	notes := graded(c.points(All))
	notes.Names = "notes.md"
	all := graded(c.points(All))
	return []Student{
		student(Solution, "the solution", c.solved, all),
		c.again(),
		student(Solution, "the solution with a comment more", commented, all),
		student(Solution, "the solution with the line ends of Windows", windows, all),
		student(Solution, "the folder exercises alone", bare, all),
		student(Solution, "the solution with notes beside it", with(c.solved, "notes.md", []byte("To do: sleep.\n")), notes),
	}
}

// parts are the files of a chapter with parts to write.
func (c *course) parts(ch chapters.Chapter) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c.given)) {
		if path.Dir(name) == path.Join(grade.Exercises, ch.Dir) && !strings.HasSuffix(name, "_test.go") && todo.Match(c.given[name]) {
			names = append(names, name)
		}
	}
	return names
}

// todo is what marks a method that is not written.
var todo = regexp.MustCompile(`gmp\.TODO\("(\w+)"\)`)

// unfinished are those who have not done everything. What they have written is right.
func (c *course) unfinished() []Student {
	untouched := graded(c.points(None))
	untouched.Check, untouched.As = c.chapters[0].ID+"/"+c.chapters[0].Suite.Checks[0].Name, check.Todo
	all := []Student{student(Unfinished, "the exercises as they are given", c.given, untouched)}
	for _, ch := range c.chapters {
		parts := c.parts(ch)
		last := parts[len(parts)-1]
		expected := graded(c.but(All, ch, Some))
		expected.Check, expected.As = c.waiting(ch, last), check.Todo
		all = append(all, student(Unfinished, path.Base(last)+" of "+ch.ID+" is not written", with(c.solved, last, c.given[last]), expected))
	}
	lost := maps.Clone(c.solved)
	first := c.chapters[0]
	part := c.parts(first)[0]
	delete(lost, part)
	expected := graded(c.but(All, first, NotAll))
	expected.Check, expected.As = c.waiting(first, part), check.Todo
	all = append(all, student(Unfinished, path.Base(part)+" of "+first.ID+" was deleted", lost, expected))
	if len(c.chapters) > 1 {
		ahead := maps.Clone(c.given)
		for name, text := range c.solved {
			if path.Dir(name) == path.Join(grade.Exercises, first.Dir) {
				ahead[name] = text
			}
		}
		all = append(all, student(Unfinished, "only "+first.ID+" is done", ahead, graded(c.but(None, first, All))))
	}
	return all
}

// waiting is a check of the chapter that cannot begin while nothing in a file is written.
func (c *course) waiting(ch chapters.Chapter, file string) string {
	for _, found := range todo.FindAllSubmatch(c.given[file], -1) {
		for _, one := range ch.Suite.Checks {
			if slices.Contains(one.Methods, string(found[1])) {
				return ch.ID + "/" + one.Name
			}
		}
	}
	return ""
}

// broken are those whose submission does not compile, in the first chapter.
func (c *course) broken() []Student {
	ch := c.chapters[0]
	part := c.parts(ch)[0]
	first := graded(c.but(All, ch, None))
	first.Check, first.As = ch.ID+"/"+ch.Suite.Checks[0].Name, check.BuildError
	of := func(what string, text []byte) Student {
		return student(Broken, path.Base(part)+" of "+ch.ID+" "+what, with(c.solved, part, text), first)
	}
	text := c.solved[part]
	half := bytes.LastIndex(text, []byte("\n}\n"))
	conflict := slices.Concat([]byte("<<<<<<< HEAD\n"), text, []byte("=======\n>>>>>>> theirs\n"))
	all := []Student{
		of("has a brace too many", append(slices.Clip(text), "}\n"...)),
		of("was cut off", text[:half+1]),
		of("has a mistake of types", append(slices.Clip(text), "\nfunc mistake() int { return \"four\" }\n"...)),
		of("has a conflict of git's in it", conflict),
		of("is empty", nil),
	}
	for _, one := range ch.Suite.Checks {
		if one.Kind == check.Mine {
			mine := path.Join(grade.Exercises, ch.Dir, one.Kind.File())
			expected := graded(c.but(All, ch, Some))
			expected.Check, expected.As = ch.ID+"/"+one.Name, check.BuildError
			text := append(slices.Clip(c.solved[mine]), "\nfunc mistake() int { return \"four\" }\n"...)
			all = append(all, student(Broken, "the own test of "+ch.ID+" does not compile", with(c.solved, mine, text), expected))
		}
	}
	return all
}

// The days of the rehearsal.
const (
	early = "2026-03-01T20:15:00+01:00"
	due   = "2026-03-01T23:59:59+01:00"
	late  = "2026-03-02T08:30:00+01:00"
)

// hashOf stands in Ref before the place of a commit that is named by its hash.
const hashOf = "#"

// committed are those whose submission is a repository.
func (c *course) committed() []Student {
	first := Version{Files: c.given, Time: early}
	done := func(at string) Version { return Version{Files: c.solved, Time: at} }
	all := func(late bool) Expected {
		e := graded(c.points(All))
		e.Late = late
		return e
	}
	none := graded(c.points(None))
	missing := Expected{Status: class.NoSubmission}
	of := func(what, ref string, expected Expected, work ...Version) Student {
		return Student{Kind: Repository, What: what, Work: work, Commits: true, Ref: ref, Due: due, Expected: expected}
	}
	return []Student{
		of("committed in time", branch, all(false), done(early)),
		of("nothing was done in time, all after it", branch, all(true), first, done(late)),
		of("the first commit is late", branch, all(true), done(late)),
		of("a commit is named that has nothing, after it the solution", hashOf+"0", none, first, done(late)),
		of("a branch is named that is not there", "gone", missing, done(early)),
	}
}

// nothing are those who have handed in nothing that could be graded.
func (c *course) nothing() []Student {
	missing := Expected{Status: class.NoSubmission}
	return []Student{
		{Kind: Nothing, What: "there is no folder", Expected: missing},
		student(Nothing, "a folder with something else", map[string][]byte{"essay.txt": []byte("On schedulers.\n")}, missing),
	}
}

// cheats are those who cheat, if the chapter is graded in which most do.
func (c *course) cheats() ([]Student, error) {
	if !slices.ContainsFunc(c.chapters, func(ch chapters.Chapter) bool { return path.Join(grade.Exercises, ch.Dir) == cheat.Chapter }) {
		return nil, nil
	}
	list, err := cheat.Read(c.root)
	if err != nil {
		return nil, err
	}
	var all []Student
	for _, one := range list {
		files := maps.Clone(c.given)
		maps.Copy(files, one.Files)
		s := Student{Kind: Cheat, What: one.Name + ": " + one.What, Work: []Version{{Files: files, Link: one.Link}}}
		s.Expected = graded(c.points(None))
		refused, ignored, fails := one.Wants["refused"], one.Wants["ignored"], one.Wants["fails"]
		id, _, _ := strings.Cut(fails, "/")
		in := slices.IndexFunc(c.chapters, func(ch chapters.Chapter) bool { return ch.ID == id })
		switch {
		case in >= 0:
			// Something else in it may be right, and has its points then.
			s.Points = c.but(None, c.chapters[in], NotAll)
			s.Check = fails
		case fails != "": // in a chapter that is not graded
		case refused != "":
			s.Names = filepath.Base(refused)
		default:
			s.Names = ignored
		}
		all = append(all, s)
	}
	return all, nil
}

// String is the student in a line.
func (s *Student) String() string { return fmt.Sprintf("%s (%s: %s)", s.Name, s.Kind, s.What) }
