package handout

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// workflow adds the workflow that grades each push. In the course it is for forks; here it is for
// the repository itself.
func (m *making) workflow() error {
	const name = ".github/workflows/classroom.yml"
	text, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	const condition = "    # The course's own repository has untouched exercises: nothing to grade.\n" +
		"    if: ${{ github.event.repository.fork || vars.GOSCHED_CLASSROOM == 'true' }}\n"
	if !strings.Contains(string(text), condition) {
		return fmt.Errorf("%s no longer has the condition that a handout leaves out", name)
	}
	m.Files[name] = []byte(strings.Replace(string(text), condition, "", 1))
	return nil
}

// mark adds the Mark.
func (m *making) mark() error {
	text, err := json.MarshalIndent(Options{Chapters: notNil(m.Chapters), Solved: notNil(m.Solved)}, "", "\t")
	m.Files[Mark] = append(text, '\n')
	return err
}

func notNil(ids []string) []string { return append([]string{}, ids...) }

// readme adds the page that a student sees first.
func (m *making) readme() error {
	solved := "It has none of the solutions."
	if len(m.Solved) > 0 {
		solved = fmt.Sprintf("Of the solutions it has those of %s.", listed(m.Solved))
	}
	handed := slices.Clone(m.Chapters)
	slices.Sort(handed)
	m.Files["README.md"] = fmt.Appendf(nil, readme, listed(handed), solved, handed[0])
	return nil
}

const readme = `# Build the Go scheduler

In this repository you write the Go scheduler yourself, chapter by chapter. Your scheduler
runs real Go programs on a small machine. Each chapter has checks that say what is wrong, and
show the run in which it went wrong.

Chapters that are handed out: %[1]s.

## Getting started

You need [Go](https://go.dev/dl/) 1.26, git and an editor, on Linux, macOS or Windows.

` + "```sh" + `
go run ./autograder          # the map of the course, and your next step
go run ./autograder book     # the book, in a browser
` + "```" + `

The very first command takes a minute or two, while Go downloads and builds a few libraries.
After that you edit the files in ` + "`exercises/`" + ` and run the checks:

` + "```sh" + `
go run ./autograder test %[3]s    # the checks of a chapter
go run ./autograder watch %[3]s   # the same after each save
go run ./autograder hint %[3]s    # when you are stuck: each call tells a little more
go run ./autograder reset %[3]s   # a fresh exercise; yours is kept
go run ./autograder grade        # the points of all chapters
go run ./autograder play --parts exercises prog.go   # a Go program on your scheduler
go run ./autograder doctor       # what is missing on this machine
` + "```" + `

` + "`go test ./...`" + ` is red, and must be: the tests in ` + "`exercises/`" + ` fail until you have written
what they test.

## What is not here

This repository was handed out by your instructor. %[2]s

- Some checks also run parts of the scheduler that are not here. They are shown as "skip", with
  the part that is missing. Your instructor's run has it, and grades these checks.
- Your own tests, your predictions and your mended methods (` + "`mine_test.go`" + `,
  ` + "`predict_test.go`" + ` and ` + "`mend_test.go`" + `) are shown as "skip", too, once you have written
  them.
- A check of one method can be judged when those methods of the chapter that it calls are
  written; until then it says which one is missing.
- After the points you see the result on your own stack: there the same checks run on your parts
  of this chapter and of those before it.

## Getting updates

Your instructor may hand out a new version in mid-term. Commit your work; then

` + "```sh" + `
go run ./autograder update --from URL
` + "```" + `

brings the course's files to it and keeps yours. It first saves everything on a branch, which it
names.
`
