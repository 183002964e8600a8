package class

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// A Plan says how to grade a class on several machines.
type Plan struct {
	Shards   int      // 1 to MaxShards
	Roster   string   // the path of the roster: for GitHub in the repository, for Kubernetes on the volume of submissions
	Image    string   // that of classroom/Dockerfile, as the cluster names it; for Kubernetes only
	Extra    string   // the path of the folder of extra checks, where the roster is; "": there is none
	Chapters []string // the IDs of those to grade; none: all that are written
}

// MaxShards is how many jobs GitHub allows in a matrix.
const MaxShards = 256

//go:embed assets/github.yml
var gitHubPlan string

//go:embed assets/kubernetes.yaml
var kubernetesPlan string

// The files of a plan.
const (
	workflowFile   = "grade-class.yml"
	kubernetesFile = "kubernetes-class.yaml"
)

var planFiles = map[string]*template.Template{
	workflowFile:   planTemplate(gitHubPlan),
	kubernetesFile: planTemplate(kubernetesPlan),
}

// planTemplate parses a file of a plan. Its delimiters are those that neither GitHub's
// expressions nor YAML have.
func planTemplate(text string) *template.Template {
	return template.Must(template.New("").Delims("<<", ">>").Funcs(template.FuncMap{"quote": quote}).Parse(text))
}

// quote is text as a string of YAML, which has those of JSON.
func quote(text string) (string, error) {
	quoted, err := json.Marshal(text)
	return string(quoted), err
}

// Write writes the files of the plan into a folder, and returns their names: a workflow for
// GitHub Actions, and an Indexed Job for Kubernetes.
func (p Plan) Write(dir string) ([]string, error) {
	if p.Shards < 1 || p.Shards > MaxShards {
		return nil, fmt.Errorf("a class is graded in 1 to %d shards, not in %d", MaxShards, p.Shards)
	}
	if err := errors.Join(localPath("the roster", p.Roster), localPath("the folder of extra checks", p.Extra)); err != nil {
		return nil, err
	}
	for _, id := range p.Chapters {
		if strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return nil, fmt.Errorf("%q is not the ID of a chapter", id)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var names []string
	for _, name := range []string{workflowFile, kubernetesFile} {
		text, err := p.text(name)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
		names = append(names, filepath.Join(dir, name))
	}
	return names, nil
}

// localPath says what is wrong with a path, which may be empty.
func localPath(what, name string) error {
	switch {
	case name == "":
	case !filepath.IsLocal(name):
		return fmt.Errorf("%s %s is not a path below the repository, or the volume of submissions", what, name)
	case strings.Contains(name, "${{") || strings.Contains(name, "$("):
		return fmt.Errorf("the path of %s would be taken for an expression", what)
	}
	return nil
}

// text is one file of the plan.
func (p Plan) text(name string) (string, error) {
	p.Roster, p.Extra = filepath.ToSlash(p.Roster), filepath.ToSlash(p.Extra)
	var numbers []string
	for i := range p.Shards {
		numbers = append(numbers, fmt.Sprint(i+1))
	}
	var b strings.Builder
	flags := ""
	if len(p.Chapters) > 0 {
		flags = " " + strings.Join(p.Chapters, " ")
	}
	further, mounted := "", ""
	if p.Extra != "" {
		further, mounted = ` --extra "$EXTRA"`, ` --extra "/submissions/$EXTRA"`
	}
	grading := fmt.Sprintf(`exec /course/classroom/entry.sh batch --roster "/submissions/$ROSTER" --shard "$$((JOB_COMPLETION_INDEX + 1))/%d" --out "/results/shard-$JOB_COMPLETION_INDEX"%s%s`, p.Shards, mounted, flags)
	err := planFiles[name].Execute(&b, planData{
		Plan: p, Numbers: strings.Join(numbers, ", "), Flags: further + flags,
		Grade: pod{p, grading}, Merge: pod{p, "exec /course/classroom/entry.sh batch merge /results/shard-* --out /results/class"},
	})
	return b.String(), err
}

// A planData is what the templates are filled with.
type planData struct {
	Plan
	Numbers string // of the shards, with commas
	Flags   string // what follows the command's own flags
	Grade   pod
	Merge   pod
}

// A pod is a pod that runs a script.
type pod struct {
	Plan
	Script string
}
