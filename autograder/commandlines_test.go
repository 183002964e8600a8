package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"gosched/autograder/class"
	"gosched/chapters"
)

// A commandLine is how the command is called somewhere in the repository.
type commandLine struct {
	where string
	text  string // what follows the name of the command
}

// calls is the command as it is called: from the sources, as it is in a container, or by the
// scripts for Gradescope and of class.yml, which give it names of their own.
var calls = regexp.MustCompile(`(?:go run (?:\./|gosched/)autograder|\bexec /course/classroom/entry\.sh|^\s*(?:gosched|autograder|grade)|/autograder)(?: (.*))?$`)

// linesOf finds the command lines in a script, or in the code of a page.
func linesOf(where, script string) (found []commandLine) {
	script = strings.ReplaceAll(script, "\\\n", " ")
	for line := range strings.Lines(script) {
		for _, part := range regexp.MustCompile(`&&|\|\||\||;| #`).Split(strings.TrimRight(line, "\n"), -1) {
			if m := calls.FindStringSubmatch(strings.TrimRight(part, " ")); m != nil && !strings.Contains(part, "go test ") {
				found = append(found, commandLine{where + ": " + strings.TrimSpace(line), m[1]})
			}
		}
	}
	return found
}

// commandLines are all of them: in workflows, in what batch plan writes, in the files of the
// container and for Gradescope, and in what people read.
func commandLines(t *testing.T) (all []commandLine) {
	text := func(name string) string {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		return string(b)
	}
	plan := t.TempDir()
	_, err := class.Plan{Shards: 3, Roster: "roster.csv", Chapters: []string{"ch01"}, Image: "image"}.Write(plan)
	require.NoError(t, err)
	for _, file := range append(workflows(t), filepath.Join(plan, "grade-class.yml")) {
		for _, m := range regexp.MustCompile(`(?m)^ +run: (.*)$`).FindAllStringSubmatch(text(file), -1) { // of a matrix, too
			all = append(all, linesOf(filepath.Base(file), m[1])...)
		}
		w, errs := actionlint.Parse([]byte(text(file)))
		require.Empty(t, errs, file)
		for _, job := range w.Jobs {
			for _, step := range job.Steps {
				if run, ok := step.Exec.(*actionlint.ExecRun); ok {
					all = append(all, linesOf(filepath.Base(file), run.Run.Value)...)
				}
			}
		}
	}
	for _, args := range podScripts(t, text(filepath.Join(plan, "kubernetes-class.yaml"))) {
		all = append(all, linesOf("kubernetes-class.yaml", args)...)
	}
	all = append(all, commandLine{"compose.yaml", strings.Join(readCompose(t).Services["grade"].Command, " ")})
	for _, name := range []string{"setup.sh", "run_autograder"} {
		all = append(all, linesOf(name, text(filepath.Join("gradescope", name)))...)
	}
	code := regexp.MustCompile("(?ms)^```\\w*\n(.*?)^```$|`(go run \\./autograder[^`]*)`")
	for _, name := range []string{"../README.md", "../CONTRIBUTING.md", "../book/en/howto.md"} {
		for _, m := range code.FindAllStringSubmatch(text(name), -1) {
			all = append(all, linesOf(filepath.Base(name), m[1]+m[2])...)
		}
	}
	return all
}

// podScripts are the arguments of the shells that a plan's pods run.
func podScripts(t *testing.T, plan string) (scripts []string) {
	decoder := yaml.NewDecoder(strings.NewReader(plan))
	for {
		var document struct {
			Spec struct {
				Template struct {
					Spec struct {
						Containers []struct{ Args []string }
					}
				}
			}
		}
		if decoder.Decode(&document) != nil {
			return scripts
		}
		for _, c := range document.Spec.Template.Spec.Containers {
			scripts = append(scripts, c.Args...)
		}
	}
}

// shellWords divides a command line as a shell does. A variable stands for a value, a list of them for
// none, and what is sent elsewhere ends it.
func shellWords(line string) (all []string) {
	line, _, _ = strings.Cut(line, " > ")
	for _, word := range regexp.MustCompile(`(?:[^\s"']|"[^"]*"|'[^']*')+`).FindAllString(line, -1) {
		word = strings.NewReplacer(`"`, "", "'", "").Replace(word)
		word = strings.ReplaceAll(word, "$$((JOB_COMPLETION_INDEX + 1))", "1")
		switch {
		case strings.Contains(word, "[@]") || word == "$@":
			continue
		case strings.Contains(word, "SHARD/"):
			word = strings.ReplaceAll(word, "$SHARD", "1")
		}
		all = append(all, word)
	}
	return all
}

// wrong says what the command does not take of a command line.
func wrong(root *cobra.Command, args []string) error {
	for len(args) > 1 && args[0] == "-C" { // cobra looks for the command's name after flags that it knows
		args = args[2:]
	}
	if len(args) > 0 && args[0] == "help" {
		args = args[1:]
	}
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if cmd == root && len(rest) > 0 {
		return usagef("there is no command %q", rest[0])
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if shard := cmd.Flags().Lookup("shard"); shard != nil && shard.Changed {
		if _, err := class.ParseShard(shard.Value.String()); err != nil {
			return err
		}
	}
	if cmd.Name() == "grade" {
		outs, _ := cmd.Flags().GetStringArray("out")
		format, _ := cmd.Flags().GetString("format")
		for _, name := range append(outs, format+"=") {
			if name, _, file := strings.Cut(name, "="); !file || findForm(name) == nil {
				return usagef("there is no form %s", name)
			}
		}
	}
	a := &app{course: chapters.All}
	for _, arg := range cmd.Flags().Args() {
		if cmd.Name() == "grade" || cmd.Name() == "batch" || regexp.MustCompile(`^ch\d+$`).MatchString(arg) {
			if _, err := a.chapter(arg); err != nil {
				return err
			}
		}
	}
	return nil
}

// Whatever calls the command, or says how to, does so with commands, flags and chapters that
// there are.
func TestCommandLines(t *testing.T) {
	all := commandLines(t)
	from := map[string]int{}
	for _, line := range all {
		where, _, _ := strings.Cut(line.where, ":")
		from[where]++
		assert.NoError(t, wrong((&app{course: chapters.All, out: newTestApp(t, 80).app.out}).command(), shellWords(line.text)), "%s", line.where)
	}
	for where, least := range map[string]int{
		"class.yml": 3, "classroom.yml": 1, "nightly.yml": 2, "book.yml": 1, "grade-class.yml": 2, "kubernetes-class.yaml": 2,
		"compose.yaml": 1, "setup.sh": 1, "run_autograder": 1, "README.md": 10, "howto.md": 8,
	} {
		assert.GreaterOrEqual(t, from[where], least, "command lines found in %s", where)
	}
}

// The test itself sees what is wrong.
func TestWrongCommandLines(t *testing.T) {
	root := func() *cobra.Command { return (&app{course: chapters.All, out: newTestApp(t, 80).app.out}).command() }
	for _, line := range []string{
		"grad", "grade --submision x", "grade --out xml=x", "grade --format xml", "batch merg", "batch report --roster x", "test ch77",
		"batch --roster r --out o --shard 4/3", "help grad", "batch plan --shards x",
	} {
		assert.Error(t, wrong(root(), shellWords(line)), line)
	}
	assert.Equal(t, []string{"batch", "--roster", "/submissions/$ROSTER", "--shard", "1/20"},
		shellWords(`batch --roster "/submissions/$ROSTER" --shard "$$((JOB_COMPLETION_INDEX + 1))/20" "${chapters[@]}" > x`))
}
