package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"gosched/autograder/class"
	"gosched/chapters"
	"gosched/chapters/sample"
)

// A composeFile is what compose.yaml may have: what is not here is a mistake, or new.
type composeFile struct {
	Services map[string]composeService `yaml:"services"`
	Volumes  map[string]*struct{}      `yaml:"volumes"`
}

type composeService struct {
	Build struct {
		Context    string `yaml:"context"`
		Dockerfile string `yaml:"dockerfile"`
	} `yaml:"build"`
	Image       string          `yaml:"image"`
	NetworkMode string          `yaml:"network_mode"`
	ReadOnly    bool            `yaml:"read_only"`
	CapDrop     []string        `yaml:"cap_drop"`
	SecurityOpt []string        `yaml:"security_opt"`
	PidsLimit   int             `yaml:"pids_limit"`
	MemLimit    string          `yaml:"mem_limit"`
	MemSwap     string          `yaml:"memswap_limit"`
	CPUs        float64         `yaml:"cpus"`
	Tmpfs       []string        `yaml:"tmpfs"`
	Volumes     []composeVolume `yaml:"volumes"`
	Command     []string        `yaml:"command"`
}

type composeVolume struct {
	Type     string `yaml:"type"`
	Source   string `yaml:"source"`
	Target   string `yaml:"target"`
	ReadOnly bool   `yaml:"read_only"`
	Bind     struct {
		Create *bool `yaml:"create_host_path"`
	} `yaml:"bind"`
}

// UnmarshalYAML reads a volume that has a name in its short form, too.
func (v *composeVolume) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		v.Type = "volume"
		v.Source, v.Target, _ = strings.Cut(node.Value, ":")
		return nil
	}
	type plain composeVolume
	return node.Decode((*plain)(v))
}

// readCompose reads compose.yaml, strictly.
func readCompose(t *testing.T) (c composeFile) {
	t.Helper()
	f, err := os.Open("../classroom/compose.yaml")
	require.NoError(t, err)
	defer f.Close()
	decoder := yaml.NewDecoder(f)
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(&c))
	return c
}

// The container of compose.yaml has no network and no rights, and writes where it may.
func TestCompose(t *testing.T) {
	c := readCompose(t)
	s := c.Services["grade"]
	assert.Equal(t, "none", s.NetworkMode)
	assert.True(t, s.ReadOnly)
	assert.Equal(t, []string{"ALL"}, s.CapDrop)
	assert.Equal(t, []string{"no-new-privileges:true"}, s.SecurityOpt)
	assert.Positive(t, s.PidsLimit)
	assert.Equal(t, s.MemLimit, s.MemSwap, "no swap besides")
	assert.FileExists(t, filepath.Join("../classroom", s.Build.Context, s.Build.Dockerfile))
	writable := map[string]bool{}
	for _, m := range s.Tmpfs {
		name, _, _ := strings.Cut(m, ":")
		writable[name] = true
		if below, ok := strings.CutPrefix(name, "/course/"); ok {
			// Docker mounts it with the mode of the image's folder, and the user is not its owner.
			assert.True(t, slices.ContainsFunc(dockerfile(t), func(s instruction) bool {
				return s.name == "RUN" && strings.Contains(s.rest, " && chmod 1777 "+below+" ")
			}), "%s can be written to", name)
		}
	}
	mounted := map[string]bool{}
	for _, v := range s.Volumes {
		if v.Type == "volume" {
			assert.Contains(t, c.Volumes, v.Source)
			mounted[v.Source], writable[v.Target] = true, true
			continue
		}
		assert.Equal(t, "bind", v.Type)
		assert.Equal(t, "/submission", v.Target)
		assert.True(t, v.ReadOnly)
		require.NotNil(t, v.Bind.Create)
		assert.False(t, *v.Bind.Create, "a folder that is not there is not made")
	}
	for name := range c.Volumes {
		assert.True(t, mounted[name], "every volume is mounted: %s", name)
	}
	for _, name := range []string{"/tmp", "/work", "/results", "/course/.gosched"} {
		assert.True(t, writable[name], name)
	}
	image := (&app{course: chapters.All}).batchPlanCommand().Flags().Lookup("image").DefValue
	assert.Equal(t, s.Image, image, "a pod has the same image")
}

// An instruction is a line of a Dockerfile.
type instruction struct{ name, rest string }

func dockerfile(t *testing.T) (steps []instruction) {
	t.Helper()
	text, err := os.ReadFile("../classroom/Dockerfile")
	require.NoError(t, err)
	joined := strings.ReplaceAll(string(text), "\\\n", " ")
	for line := range strings.Lines(joined) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			name, rest, _ := strings.Cut(line, " ")
			steps = append(steps, instruction{name, rest})
		}
	}
	return steps
}

// What the Dockerfile copies and builds is there, it is of the Go of go.mod, and it ends as the
// user that a pod has.
func TestDockerfile(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	last := map[string]string{}
	for _, s := range dockerfile(t) {
		last[s.name] = s.rest
		switch s.name {
		case "FROM":
			version := regexp.MustCompile(`^golang:(\d+\.\d+)-bookworm$`).FindStringSubmatch(s.rest)
			require.NotNil(t, version, s.rest)
			assert.Contains(t, string(mod), "\ngo "+version[1])
		case "COPY":
			from := strings.Fields(s.rest)
			for _, name := range from[:len(from)-1] {
				_, err := os.Stat(filepath.Join("..", name))
				assert.NoError(t, err)
			}
		case "RUN":
			for _, pkg := range regexp.MustCompile(` (\./\S+)`).FindAllStringSubmatch(s.rest, -1) {
				out, ok := script(t, "..", nil, "go", "list", pkg[1])
				assert.True(t, ok, out)
				assert.NotContains(t, out, "matched no packages")
			}
		case "ENV", "WORKDIR", "USER", "ENTRYPOINT":
		default:
			assert.Fail(t, "an instruction that this test does not know", s.name)
		}
	}
	assert.Regexp(t, `^[1-9]\d*:[1-9]\d*$`, last["USER"])
	user, group, _ := strings.Cut(last["USER"], ":")
	plan := t.TempDir()
	_, err = class.Plan{Shards: 1, Roster: "roster.csv", Image: "image"}.Write(plan)
	require.NoError(t, err)
	pods, err := os.ReadFile(filepath.Join(plan, "kubernetes-class.yaml"))
	require.NoError(t, err)
	assert.Contains(t, string(pods), "\n        runAsUser: "+user+"\n        runAsGroup: "+group+"\n")
	var entry []string
	require.NoError(t, json.Unmarshal([]byte(last["ENTRYPOINT"]), &entry))
	require.Len(t, entry, 1)
	assert.Contains(t, string(pods), "exec "+entry[0]+" batch")
	info, err := os.Stat(filepath.Join("..", strings.TrimPrefix(entry[0], "/course/")))
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		assert.Equal(t, os.FileMode(0o755), info.Mode().Perm())
	}
}

// entry.sh copies what the image has compiled, whole and once, and takes no half copy for one, which
// a container that was ended has left.
func TestEntry(t *testing.T) {
	needs(t, "sh", "mktemp")
	entry, err := filepath.Abs("../classroom/entry.sh")
	require.NoError(t, err)
	root := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		name = filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), mode))
	}
	write("bin/autograder", "#!/bin/sh\necho \"<$*>\"\n", 0o755)
	write("cache/00/compiled", "of the image", 0o644)
	write("work/go-build.new/00/half", "", 0o644)
	env := []string{"PATH=" + filepath.Join(root, "bin") + ":" + os.Getenv("PATH"), "GOSCHED_CACHE=" + filepath.Join(root, "cache"), "GOCACHE=" + filepath.Join(root, "work/go-build")}
	for range 2 {
		out, ok := script(t, root, env, entry, "grade", "two words")
		require.True(t, ok, out)
		assert.Equal(t, "<grade two words>\n", out)
		var files []string
		for _, pattern := range []string{"work/*", "work/go-build/*", "work/go-build/00/*"} {
			found, err := filepath.Glob(filepath.Join(root, pattern))
			require.NoError(t, err)
			files = append(files, found...)
		}
		for i := range files {
			files[i] = strings.TrimPrefix(files[i], root+"/work/")
		}
		assert.Equal(t, []string{"go-build", "go-build.new", "go-build/00", "go-build/00/compiled"}, files)
		write("cache/00/later", "", 0o644)
	}
}

// With GOSCHED_WHOLE=1 the steps of the Dockerfile are run in a folder that stands for the root of
// the container, and then a submission is graded there as in the container: offline, by entry.sh,
// with the course's folder read-only. What only Docker does is not: users, mounts, no network.
func TestContainerSteps(t *testing.T) {
	if !sample.Whole() {
		t.Skip("the course is compiled twice")
	}
	needs(t, "bash", "git", "gcc")
	root := t.TempDir()
	out, ok := script(t, "..", nil, "bash", "-ec", "mkdir "+root+"/course && git archive HEAD | tar --extract --directory "+root+"/course")
	require.True(t, ok, out)
	inRoot := func(text string) string {
		text = regexp.MustCompile(`(^|[ =])/(cache|results|work|course|usr/local/bin)`).ReplaceAllString(text, "$1"+root+"/$2")
		return strings.ReplaceAll(text, "chown ", "true ") // there is no other user here
	}
	require.NoError(t, os.MkdirAll(filepath.Join(root, "usr/local/bin"), 0o755))
	modules, ok := script(t, "..", nil, "go", "env", "GOMODCACHE") // the image has them in GOPATH, whatever HOME is
	require.True(t, ok, modules)
	env := []string{"PATH=" + root + "/usr/local/bin:" + os.Getenv("PATH"), "GOMODCACHE=" + strings.TrimSpace(modules)}
	for _, s := range dockerfile(t) {
		switch s.name {
		case "ENV":
			for _, v := range strings.Fields(s.rest) {
				env = append(env, inRoot(v))
			}
		case "RUN":
			out, ok := script(t, filepath.Join(root, "course"), env, "bash", "-ec", inRoot(s.rest))
			require.True(t, ok, out)
		}
	}
	env = append(env, "GOSCHED_CACHE="+root+"/cache", "HOME="+root+"/work", "GOSCHED_SURROUNDINGS=")
	out, ok = script(t, root, env, filepath.Join(root, "course/classroom/entry.sh"),
		"grade", "--submission", filepath.Join(root, "course"), "--out", "json="+filepath.Join(root, "results/result.json"), "ch01")
	require.True(t, ok, out)
	text, err := os.ReadFile(filepath.Join(root, "results/result.json"))
	require.NoError(t, err)
	assert.Contains(t, string(text), `"max_score": 100`)
	assert.NotContains(t, string(text), "build_error")
}
