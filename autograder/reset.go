package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gosched/autograder/gen"
	"gosched/autograder/grade"
	"gosched/chapters"
)

func (a *app) resetCommand() *cobra.Command {
	guided := false
	cmd := &cobra.Command{
		Use:   "reset [--guided] chapter [file or function]",
		Short: "put an exercise back to its original state",
		Long: `Puts all files of an exercise, one of them, or one function back to the state in
which they were generated. What was there is kept: the command says where.

With --guided what is put back includes the steps: the second rung of the hints.`,
		Example: `  go run ./autograder reset ch01
  go run ./autograder reset ch01 freelist.go
  go run ./autograder reset ch01 Gfget
  go run ./autograder reset --guided ch01`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 2 {
				return usagef("one file or function at a time")
			}
			return oneOf("which chapter? reset ch01")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ch, err := a.chapter(args[0])
			if err != nil {
				return err
			}
			return a.reset(ch, strings.Join(args[1:], ""), guided)
		},
	}
	cmd.Flags().BoolVar(&guided, "guided", false, "include the steps")
	return cmd
}

// reset restores what is named: a file, a function or, if it is empty, all files; guided
// with the steps in them.
func (a *app) reset(ch chapters.Chapter, what string, guided bool) error {
	all, err := gen.Exercises(a.root, []chapters.Chapter{ch}, guided)
	if err != nil {
		return err
	}
	fresh := map[string][]byte{}
	for name, text := range all {
		if rest, ok := strings.CutPrefix(name, ch.Dir+"/"); ok {
			fresh[rest] = text
		}
	}
	switch {
	case what == "":
	case fresh[path.Base(what)] != nil:
		name := path.Base(what)
		fresh = map[string][]byte{name: fresh[name]}
	default:
		if fresh, err = a.resetFunction(ch, what, fresh); err != nil {
			return err
		}
	}
	if guided {
		if err := a.noteSteps(ch, what, fresh); err != nil {
			return err
		}
	}
	return a.restore(ch, fresh)
}

// noteSteps remembers that the steps of what is reset were shown.
func (a *app) noteSteps(ch chapters.Chapter, what string, files map[string][]byte) error {
	s := a.loadState()
	for file, text := range files {
		for _, name := range gen.Functions(file, text) {
			_, method, _ := strings.Cut(name, ".")
			if function := a.functionOf(ch, name); function != "" && (what == "" || what == name || what == method || files[path.Base(what)] != nil) {
				s.chapter(ch).open(function, gen.StepsRung)
			}
		}
	}
	return a.writeState(s)
}

// resetFunction returns the one file that has the function, with that function
// as it was.
func (a *app) resetFunction(ch chapters.Chapter, function string, fresh map[string][]byte) (map[string][]byte, error) {
	var names, found []string
	in := ""
	for _, file := range slices.Sorted(maps.Keys(fresh)) {
		for _, name := range gen.Functions(file, fresh[file]) {
			_, method, _ := strings.Cut(name, ".")
			if name != function && method != function {
				names = append(names, name, method)
				continue
			}
			found, in = append(found, name), file
		}
		names = append(names, file)
	}
	if len(found) > 1 {
		return nil, usagef("chapter %s has several functions %s; which one: %s?", number(ch), function, strings.Join(found, ", "))
	}
	if len(found) == 0 {
		names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
		return nil, usagef("chapter %s has no file and no function %q%s", number(ch), function, didYouMean(function, names))
	}
	edited, err := os.ReadFile(a.path(grade.Exercises, ch.Dir, in))
	if err != nil {
		return nil, err
	}
	text, err := gen.ResetFunction(a.root, path.Join(grade.Exercises, ch.Dir, in), found[0], edited, fresh[in])
	if err != nil {
		return nil, err
	}
	return map[string][]byte{in: text}, nil
}

// restore writes the files that differ, after a copy of what is there.
func (a *app) restore(ch chapters.Chapter, fresh map[string][]byte) error {
	backup := filepath.Join(a.backup(), ch.Dir)
	changed := 0
	for _, name := range slices.Sorted(maps.Keys(fresh)) {
		file := a.path(grade.Exercises, ch.Dir, name)
		current, err := os.ReadFile(file)
		if err == nil && bytes.Equal(current, fresh[name]) {
			continue
		}
		if err == nil {
			if err := writeFile(a.path(backup, name), current); err != nil {
				return fmt.Errorf("nothing was reset, because what is there could not be saved: %w", err)
			}
		}
		if err := writeFile(file, fresh[name]); err != nil {
			return err
		}
		changed++
		a.out.Println("reset " + filepath.Join(grade.Exercises, ch.Dir, name))
	}
	if changed == 0 {
		a.out.Println("nothing to reset: it is in its original state")
		return nil
	}
	a.out.Println("what was there is in " + backup)
	return nil
}

// backup is a folder for copies that does not exist yet, named by the time.
func (a *app) backup() string {
	base := filepath.Join(local, "backup", time.Now().Format("20060102-150405"))
	name := base
	for i := 2; ; i++ {
		if _, err := os.Stat(a.path(name)); err != nil {
			return name // there is none, or writing will say what is wrong
		}
		name = fmt.Sprintf("%s-%d", base, i)
	}
}

func writeFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
