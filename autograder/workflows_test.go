package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// workflows are the files of .github/workflows.
func workflows(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../.github/workflows/*.yml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// lint returns what actionlint finds in a workflow.
func lint(t *testing.T, file string, text []byte) (found []string) {
	t.Helper()
	// Without shellcheck and pyflakes, which need not be there: see TestWorkflowScripts.
	l, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	require.NoError(t, err)
	errs, err := l.Lint(file, text, nil)
	require.NoError(t, err)
	for _, e := range errs {
		found = append(found, e.Error())
	}
	return found
}

func TestWorkflows(t *testing.T) {
	for _, file := range workflows(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Empty(t, lint(t, file, text))
		for _, wrong := range [][2]string{{"ubuntu-latest", "ubuntu-5.10"}, {"runs-on:", "run-on:"}, {"actions/checkout@v4", "actions/checkout"}, {"${{ ", "${{ nothing."}} {
			if strings.Contains(string(text), wrong[0]) {
				assert.NotEmpty(t, lint(t, file, []byte(strings.ReplaceAll(string(text), wrong[0], wrong[1]))), "%s: %s", file, wrong[1])
			}
		}
	}
}

// The scripts of workflows and those for Gradescope can be parsed, and no expression is pasted
// into them but one of the workflow's own matrix: a value goes through the environment, where it
// cannot become code.
func TestWorkflowScripts(t *testing.T) {
	parses := func(name, script string) {
		cmd := exec.Command("bash", "-n")
		cmd.Stdin = strings.NewReader(script)
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "%s: %s", name, out)
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	for _, file := range workflows(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		w, errs := actionlint.Parse(text)
		require.Empty(t, errs, file)
		for _, job := range w.Jobs {
			for _, step := range job.Steps {
				if run, ok := step.Exec.(*actionlint.ExecRun); ok {
					parses(file, regexp.MustCompile(`\$\{\{ matrix\.\w+ \}\}`).ReplaceAllString(run.Run.Value, "true"))
					assert.NotRegexp(t, `\$\{\{ *[^m ]`, run.Run.Value, file)
				}
			}
		}
	}
	for _, name := range []string{"pack.sh", "setup.sh", "run_autograder"} {
		text, err := os.ReadFile(filepath.Join("gradescope", name))
		require.NoError(t, err)
		parses(name, string(text))
	}
}

// The instructor's workflow keeps what runs submissions apart from the token and the network.
func TestClassWorkflow(t *testing.T) {
	text, err := os.ReadFile("../.github/workflows/class.yml")
	require.NoError(t, err)
	w, errs := actionlint.Parse(text)
	require.Empty(t, errs)
	_, grades, ok := strings.Cut(string(text), "\n  grade:\n")
	require.True(t, ok)
	assert.NotContains(t, grades, "secrets.")
	assert.Regexp(t, `docker run --rm --network none .*--cap-drop ALL`, grades)
	assert.Equal(t, 2, strings.Count(string(text), "persist-credentials: false"), "no checkout leaves its token behind")
	var on []string
	for _, event := range w.On {
		on = append(on, event.EventName())
	}
	assert.ElementsMatch(t, []string{"schedule", "workflow_dispatch"}, on, "students can cause neither")
	require.Len(t, w.Permissions.Scopes, 1)
	assert.Equal(t, "read", w.Permissions.Scopes["contents"].Value.Value)
}

// What the workflow fetches is graded without a network: the command line of the step, which goes
// on when a repository is gone, leaves an archive with the files and a roster that names them.
func TestFetch(t *testing.T) {
	needs(t, "bash", "git", "tar")
	text, err := os.ReadFile("../.github/workflows/class.yml")
	require.NoError(t, err)
	w, errs := actionlint.Parse(text)
	require.Empty(t, errs)
	steps := w.Jobs["fetch"].Steps
	run := steps[2].Exec.(*actionlint.ExecRun).Run.Value

	dir := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "ann"}, {"-C", "ann", "-c", "user.name=ann", "-c", "user.email=ann@example.com", "commit", "-q", "--allow-empty", "-m", "mine"},
	} {
		out, ok := script(t, dir, nil, "git", args...)
		require.True(t, ok, out)
	}
	there := "file://" + filepath.ToSlash(dir) + "/ann"
	roster := "\ufeffstudent,source,name\nann," + there + ",\"Ann, \"\"A\"\"\"\nbob,https://127.0.0.1:1/bob,Bob\ncy,folder,=Cy\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "roster.csv"), []byte(roster), 0o644))
	command := filepath.Join(dir, "autograder")
	out, ok := script(t, ".", nil, "go", "build", "-o", command, ".")
	require.True(t, ok, out)
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	run = strings.ReplaceAll(run, "go run ./autograder", command+" -C "+root)
	out, ok = script(t, dir, []string{"RUNNER_TEMP=" + dir, "ROSTER=roster.csv"}, "bash", "-e", "-c", run)
	require.True(t, ok, out)
	assert.Contains(t, out, "could not be fetched: bob; start it once more")
	fetched, err := os.ReadFile(filepath.Join(dir, "class", "roster.csv"))
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^ann,sources/[0-9a-f]+,"Ann, ""A""",[0-9a-f]{40},,\S+,,$`, string(fetched))
	assert.Contains(t, string(fetched), "\nbob,https://127.0.0.1:1/bob,Bob,,,,,\n")
	listed, ok := script(t, dir, nil, "tar", "-tzf", "class.tar.gz")
	require.True(t, ok, listed)
	assert.Contains(t, listed, "class/roster.csv\n")
	assert.Regexp(t, `class/sources/[0-9a-f]+/\n`, listed)
}

// A student's workflow grades once, for all forms.
func TestClassroomWorkflow(t *testing.T) {
	text, err := os.ReadFile("../.github/workflows/classroom.yml")
	require.NoError(t, err)
	found := regexp.MustCompile(`autograder grade (.*)\n`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, found, 1)
	flags := strings.Fields(found[0][1])
	cmd := newTestApp(t, 80).gradeCommand()
	require.NoError(t, cmd.ParseFlags(flags))
	format, err := cmd.Flags().GetString("format")
	require.NoError(t, err)
	outs, err := cmd.Flags().GetStringArray("out")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	reports, err := readForms(t.Context(), "", format, outs)
	require.NoError(t, err)
	for _, r := range reports[1:] {
		assert.Contains(t, string(text), "\n            "+r.file+"\n", "it is kept")
	}
}
