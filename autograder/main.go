// Autograder is the command of the course: it shows how far you have come, runs
// the checks of a chapter, explains what fails, plays Go programs on your
// scheduler and serves the book.
//
//	go run ./autograder              the map of the course
//	go run ./autograder help         all commands
//
// It does not link the exercises. It builds them into child binaries, so an
// exercise that does not compile, crashes or hangs is a result like any other.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gosched/autograder/interrupt"
	"gosched/autograder/jail"
	"gosched/autograder/screen"
	"gosched/autograder/submission"
	"gosched/chapters"
	"gosched/chapters/gmp"
)

// The exit statuses of the command. (go run turns each failure into 1.)
const (
	exitOK     = 0
	exitFailed = 1 // checks failed
	exitUsage  = 2 // wrong usage, or an environment in which the command cannot work
)

func main() {
	jail.Launch()
	submission.Inspect()
	ctx := interrupt.Context()
	a := &app{program: os.Args[0], built: built, course: chapters.All, out: screen.New(os.Stdout), err: screen.New(os.Stderr)}
	os.Exit(a.run(ctx, os.Args[1:]))
}

// An app is one call of the command.
type app struct {
	program string           // as it was called; "" in tests
	named   string           // a folder of the course, by -C
	root    string           // of the repository; "" until findCourse
	built   map[string]fs.FS // what it was built from, see there; nil in tests
	course  []chapters.Chapter
	out     *screen.Screen
	err     *screen.Screen
}

// An exit is an error that ends the command with a status. With an empty text
// everything has been said.
type exit struct {
	status int
	text   string
}

func (e exit) Error() string { return e.text }

// usagef is the error for wrong usage.
func usagef(format string, args ...any) error { return exit{exitUsage, fmt.Sprintf(format, args...)} }

// failed ends the command with status 1; the output has said why.
var failed = exit{status: exitFailed}

// run executes the command and returns its exit status.
func (a *app) run(ctx context.Context, args []string) int {
	cmd := a.command()
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	e, ok := errors.AsType[exit](err)
	switch {
	case ctx.Err() != nil:
		e = stopped(ctx, e)
	case !ok:
		e = exit{exitUsage, err.Error()}
	}
	if e.text != "" {
		a.err.Println("autograder: " + e.text)
	}
	return e.status
}

// untilEnd is how a command ends that goes on until ctx does.
func untilEnd(ctx context.Context) error {
	why, _ := errors.AsType[gmp.Ending](context.Cause(ctx))
	return exited(why.Status)
}

// stopped is how the command ends when ctx has ended, and e is what came of it: a run that was
// played has told all there is to tell.
func stopped(ctx context.Context, e exit) exit {
	why, ok := errors.AsType[gmp.Ending](context.Cause(ctx))
	switch {
	case !ok:
		return exit{exitUsage, "interrupted"}
	case e.status == why.Status:
		return e
	}
	return exit{why.Status, "interrupted"}
}

// command makes the tree of commands.
func (a *app) command() *cobra.Command {
	cobra.EnableCommandSorting = false // they stand in the order of use
	root := &cobra.Command{
		Use:   "autograder",
		Short: "the command of the course",
		Long: `The command of the course. By itself it prints the map: the chapters, how far you
have come, and what to do next.

It works in any folder of the course. To call it elsewhere, build it (go build
-o DIR ./autograder) and name the course: with -C, or with the environment
variable GOSCHED_ROOT. Files that you name are looked for where you are; those
that it names, such as exercises/ch01_goroutine, are in the course. A command that
was built from another version of the course refuses to work on this one: build it
again after each update.`,
		Example: `  go run ./autograder                  the map
  go run ./autograder book ch01        read the lesson of chapter 1
  go run ./autograder test ch01        check what you have written
  go run ./autograder help test        more about a command`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return a.noCommand(cmd, args[0])
		},
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Name() == "help" {
				return nil
			}
			if err := a.findCourse(); err != nil {
				return err
			}
			if err := a.sameCourse(cmd); err != nil {
				return err
			}
			return a.forInstructors(cmd)
		},
		RunE:                  func(cmd *cobra.Command, args []string) error { return a.showMap() },
		SilenceErrors:         true,
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
	}
	root.PersistentFlags().StringVarP(&a.named, "course", "C", "", "the folder `DIR` of the course (default GOSCHED_ROOT, else where you are)")
	root.AddGroup(&cobra.Group{ID: "course", Title: "For the course:"}, &cobra.Group{ID: "author", Title: "For instructors and authors:"})
	for _, c := range []*cobra.Command{a.testCommand(), a.watchCommand(), a.hintCommand(), a.diffCommand(), a.resetCommand(), a.playCommand(), a.bookCommand(), a.updateCommand(), a.doctorCommand()} {
		c.GroupID = "course"
		root.AddCommand(c)
	}
	for _, c := range []*cobra.Command{a.gradeCommand(), a.batchCommand(), a.exportCommand(), a.benchCommand(), a.loadCommand(), a.coverageCommand(), a.genCommand(), a.mutateCommand(), a.verifyCommand()} {
		c.GroupID = "author"
		root.AddCommand(c)
	}
	for _, c := range root.Commands() {
		c.DisableFlagsInUseLine = true
	}
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [command]",
		Short: "say more about a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about := root
			if len(args) > 0 {
				if about, _, _ = root.Find(args); about == root {
					return a.noCommand(root, args[0])
				}
			}
			about.InitDefaultHelpFlag() // so that the flags have it
			return about.Help()
		},
	})
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
			return usagef("--%s takes %s, not %q", wrong.GetFlag().Name, kindOf(wrong.GetFlag()), wrong.GetValue())
		}
		near := ""
		if typed, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
			var names []string
			cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
			near = didYouMean("--"+typed, names)
		}
		if near == "" {
			path := strings.TrimPrefix(cmd.CommandPath(), root.Name()) // " batch report"
			near = fmt.Sprintf("; \"help%s\" lists the flags", path)
		}
		return usagef("%v%s", err, near)
	})
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpTemplate(helpTemplate)
	root.SetOut(a.out)
	root.SetErr(a.err)
	return root
}

// kindOf says what a flag takes.
func kindOf(f *pflag.Flag) string {
	switch kind := f.Value.Type(); kind {
	case "bool":
		return "true or false"
	case "int", "int64":
		return "a whole number"
	case "uint64":
		return "a whole number that is not negative"
	case "intSlice":
		return "whole numbers, as 1,2"
	default:
		return "a " + kind
	}
}

// commandNames are the names of the commands of a command.
func commandNames(of *cobra.Command) []string {
	var names []string
	for _, c := range of.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// noCommand is the error for a command that root does not have.
func (a *app) noCommand(root *cobra.Command, name string) error {
	if ch, ok := a.findChapter(name); ok {
		return usagef("there is no command %q; its checks are run by: test %s", name, ch.ID)
	}
	near := didYouMean(name, commandNames(root))
	if near == "" {
		near = "; \"help\" lists them all"
	}
	return usagef("there is no command %q%s", name, near)
}

// noArgs is for commands that take no arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments: it does not know %q", cmd.Name(), args[0])
	}
	return nil
}

const helpTemplate = `{{with or .Long .Short}}{{. | trimTrailingWhitespaces}}

{{end}}{{.UsageString}}`

const usageTemplate = `Usage:
  go run ./{{.UseLine}}
{{- if .HasExample}}

Examples:
{{.Example}}{{end}}
{{- if .HasAvailableSubCommands}}{{$cmds := .Commands}}{{range $group := .Groups}}

{{.Title}}{{range $cmds}}{{if eq .GroupID $group.ID}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{end}}
{{- if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
{{- with index .Annotations "exit"}}

Exit status (of the built command; go run makes every failure 1):
{{.}}{{end}}
`

// exitHelp is what help says about the exit status of a command.
func exitHelp(lines string) map[string]string { return map[string]string{"exit": lines} }

// path returns a path of the repository on this system.
func (a *app) path(elem ...string) string {
	return filepath.Join(append([]string{a.root}, elem...)...)
}

// local is the folder for what the command keeps: results, evidence, backups
// and binaries. Git ignores it.
const local = ".gosched"
