package class

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

func twenty() Plan {
	return Plan{Shards: 20, Roster: "class/spring \"26\"/roster.csv", Image: "gosched-grade:latest", Chapters: []string{"ch01", "ch02"}}
}

// Extra checks are named by a variable, whatever their folder is called.
func TestPlanWithExtra(t *testing.T) {
	p := twenty()
	p.Extra = `hidden "26"`
	for name, has := range map[string][]string{
		workflowFile:   {`  EXTRA: "hidden \"26\""` + "\n", `--out "shard-$SHARD" --extra "$EXTRA" ch01 ch02` + "\n"},
		kubernetesFile: {`- {name: EXTRA, value: "hidden \"26\""}` + "\n", `--extra \"/submissions/$EXTRA\" ch01 ch02`},
	} {
		text, err := p.text(name)
		require.NoError(t, err)
		for _, want := range has {
			assert.Contains(t, text, want, name)
		}
		require.NoError(t, yaml.NewDecoder(strings.NewReader(text)).Decode(new(any)))
		p := twenty()
		without, err := p.text(name)
		require.NoError(t, err)
		assert.NotContains(t, without, "EXTRA")
	}
}

// An apiTypes has the fields of Kubernetes' types, by type and name: the file kubernetes.txt.
type apiTypes map[string]map[string]string

func readTypes(t *testing.T) apiTypes {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "kubernetes.txt"))
	require.NoError(t, err)
	types, at := apiTypes{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if field, ok := strings.CutPrefix(line, "\t"); ok {
			name, holds, _ := strings.Cut(field, " ")
			types[at][name] = holds
			continue
		}
		at = line
		types[at] = map[string]string{}
	}
	return types
}

var quantity = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?(m|k|[MGTPE]i?|Ki)?$`)

// check returns what is wrong with a value at a path of a document, which has to be what holds says.
func (types apiTypes) check(at, holds string, value any) []string {
	wrong := func(format string, args ...any) []string { return []string{at + ": " + fmt.Sprintf(format, args...)} }
	of := func(ok bool) []string {
		if !ok {
			return wrong("%v is no %s", value, holds)
		}
		return nil
	}
	if element, ok := strings.CutPrefix(holds, "[]"); ok {
		list, ok := value.([]any)
		all := of(ok)
		for i, v := range list {
			all = append(all, types.check(fmt.Sprintf("%s[%d]", at, i), element, v)...)
		}
		return all
	}
	entries, isMap := value.(map[string]any)
	if element, ok := strings.CutPrefix(holds, "map "); ok {
		all := of(isMap)
		for name, v := range entries {
			all = append(all, types.check(at+"."+name, element, v)...)
		}
		return all
	}
	switch holds {
	case "string":
		_, ok := value.(string)
		return of(ok)
	case "bool":
		_, ok := value.(bool)
		return of(ok)
	case "int":
		_, ok := value.(int)
		return of(ok)
	case "quantity":
		return of(quantity.MatchString(fmt.Sprint(value)))
	}
	fields, ok := types[holds]
	if !ok {
		return wrong("the type %s is not in kubernetes.txt; add it in kubernetes.go", holds)
	}
	all := of(isMap)
	for name, v := range entries {
		if fields[name] == "" {
			all = append(all, wrong("%s has no field %s", holds, name)...)
			continue
		}
		all = append(all, types.check(at+"."+name, fields[name], v)...)
	}
	return all
}

// documents reads the documents of a file, strictly: no key is there twice.
func documents(t *testing.T, text string) []map[string]any {
	t.Helper()
	var all []map[string]any
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var one map[string]any
		err := decoder.Decode(&one)
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		all = append(all, one)
	}
}

// at returns what is at a path of names.
func at(t *testing.T, value any, path ...string) any {
	t.Helper()
	for _, name := range path {
		fields, ok := value.(map[string]any)
		require.True(t, ok, "%s of %q", name, path)
		value = fields[name]
	}
	return value
}

// TestKubernetesPlan: each document is what the published API takes, and says what makes it safe.
func TestKubernetesPlan(t *testing.T) {
	types := readTypes(t)
	text, err := twenty().text(kubernetesFile)
	require.NoError(t, err)
	kinds := map[string]string{"Job": "batch/v1", "NetworkPolicy": "networking.k8s.io/v1", "PersistentVolumeClaim": "v1"}
	by := map[string]map[string]any{}
	for _, document := range documents(t, text) {
		kind, _ := document["kind"].(string)
		assert.Equal(t, kinds[kind], document["apiVersion"])
		assert.Empty(t, types.check(kind, kind, document))
		name, _ := at(t, document, "metadata", "name").(string)
		by[name] = document
	}
	require.Len(t, by, 4)

	assert.Equal(t, []any{"Ingress", "Egress"}, at(t, by["gosched-no-network"], "spec", "policyTypes"))
	assert.Nil(t, at(t, by["gosched-no-network"], "spec", "egress"), "nothing is allowed")
	assert.Nil(t, at(t, by["gosched-no-network"], "spec", "ingress"), "nothing is allowed")
	selector := at(t, by["gosched-no-network"], "spec", "podSelector", "matchLabels")

	job := at(t, by["gosched-grade"], "spec")
	assert.Equal(t, 20, at(t, job, "completions"))
	assert.Equal(t, "Indexed", at(t, job, "completionMode"), "backoffLimitPerIndex needs it")
	assert.Equal(t, 3, at(t, job, "backoffLimitPerIndex"))
	for _, name := range []string{"gosched-grade", "gosched-merge"} {
		template := at(t, by[name], "spec", "template")
		assert.Equal(t, selector, at(t, template, "metadata", "labels"), "the policy is about this pod")
		pod := at(t, template, "spec")
		assert.Equal(t, "Never", at(t, pod, "restartPolicy"), "backoffLimitPerIndex needs it")
		assert.Equal(t, false, at(t, pod, "automountServiceAccountToken"))
		assert.Equal(t, true, at(t, pod, "securityContext", "runAsNonRoot"))
		assert.Equal(t, "RuntimeDefault", at(t, pod, "securityContext", "seccompProfile", "type"))
		container := at(t, pod, "containers").([]any)[0]
		assert.Equal(t, false, at(t, container, "securityContext", "allowPrivilegeEscalation"))
		assert.Equal(t, true, at(t, container, "securityContext", "readOnlyRootFilesystem"))
		assert.Equal(t, []any{"ALL"}, at(t, container, "securityContext", "capabilities", "drop"))
		for _, kind := range []string{"cpu", "memory", "ephemeral-storage"} {
			assert.NotNil(t, at(t, container, "resources", "requests", kind))
			assert.NotNil(t, at(t, container, "resources", "limits", kind))
		}
		mounted := map[any]bool{}
		for _, volume := range at(t, pod, "volumes").([]any) {
			mounted[at(t, volume, "name")] = false
		}
		for _, mount := range at(t, container, "volumeMounts").([]any) {
			assert.Contains(t, mounted, at(t, mount, "name"), "a mount of a volume that is not there")
			mounted[at(t, mount, "name")] = true
		}
		assert.NotContains(t, mounted, false, "every volume is mounted")
	}
	container := at(t, job, "template", "spec", "containers").([]any)[0]
	assert.Equal(t, []any{map[string]any{"name": "ROSTER", "value": twenty().Roster}}, at(t, container, "env").([]any)[:1])
	assert.Equal(t, `exec /course/classroom/entry.sh batch --roster "/submissions/$ROSTER" --shard "$$((JOB_COMPLETION_INDEX + 1))/20" --out "/results/shard-$JOB_COMPLETION_INDEX" ch01 ch02`,
		at(t, container, "args").([]any)[0], "Kubernetes makes one $ of two, and would take $( for a variable of its own")
}

// TestTypes: the check of the types is strict.
func TestTypes(t *testing.T) {
	types := readTypes(t)
	text, err := twenty().text(kubernetesFile)
	require.NoError(t, err)
	for _, tt := range []struct{ from, to, err string }{
		{"completionMode:", "completionMod:", "Job.spec: JobSpec has no field completionMod"},
		{"completions: 20", `completions: "20"`, "Job.spec.completions: 20 is no int"},
		{"runAsNonRoot: true", "runAsNonRoot: yes please", "Job.spec.template.spec.securityContext.runAsNonRoot: yes please is no bool"},
		{"memory: 4Gi", "memory: 4 GB", "Job.spec.template.spec.containers[0].resources.requests.memory: 4 GB is no quantity"},
		{"drop: [ALL]", "drop: ALL", "Job.spec.template.spec.containers[0].securityContext.capabilities.drop: ALL is no []string"},
		{"backoffLimitPerIndex: 3", "podFailurePolicy: {}", "Job.spec.podFailurePolicy: the type PodFailurePolicy is not in kubernetes.txt; add it in kubernetes.go"},
	} {
		require.Contains(t, text, tt.from)
		var wrong []string
		for _, document := range documents(t, strings.ReplaceAll(text, tt.from, tt.to)) {
			kind, _ := document["kind"].(string)
			wrong = append(wrong, types.check(kind, kind, document)...)
		}
		assert.Contains(t, wrong, tt.err)
	}
}

func TestPlanErrors(t *testing.T) {
	for _, tt := range []struct {
		change func(p *Plan)
		err    string
	}{
		{func(p *Plan) { p.Shards = 0 }, "a class is graded in 1 to 256 shards, not in 0"},
		{func(p *Plan) { p.Shards = 257 }, "a class is graded in 1 to 256 shards, not in 257"},
		{func(p *Plan) { p.Roster = "../roster.csv" }, "the roster ../roster.csv is not a path below the repository, or the volume of submissions"},
		{func(p *Plan) { p.Roster = "a${{ secrets.X }}.csv" }, "the path of the roster would be taken for an expression"},
		{func(p *Plan) { p.Chapters = []string{"ch01; id"} }, `"ch01; id" is not the ID of a chapter`},
	} {
		p := twenty()
		tt.change(&p)
		dir := t.TempDir()
		_, err := p.Write(dir)
		assert.EqualError(t, err, tt.err)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, left)
	}
	names, err := twenty().Write(filepath.Join(t.TempDir(), "new", "folder"))
	require.NoError(t, err)
	for _, name := range names {
		assert.FileExists(t, name)
	}
}
