package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
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
	Image       string   `yaml:"image"`
	NetworkMode string   `yaml:"network_mode"`
	ReadOnly    bool     `yaml:"read_only"`
	CapDrop     []string `yaml:"cap_drop"`
	SecurityOpt []string `yaml:"security_opt"`
	PidsLimit   int      `yaml:"pids_limit"`
	MemLimit    string   `yaml:"mem_limit"`
	MemSwap     string   `yaml:"memswap_limit"`
	CPUs        float64  `yaml:"cpus"`
	Tmpfs       []string `yaml:"tmpfs"`
	Volumes     []string `yaml:"volumes"`
	Command     []string `yaml:"command"`
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
	}
	for _, m := range s.Volumes {
		from, to, ok := strings.Cut(m[strings.LastIndex(m, "}")+1:], ":")
		require.True(t, ok, m)
		if from != "" { // a named volume
			assert.Contains(t, c.Volumes, from)
			writable[to] = true
		} else {
			assert.Equal(t, "/submission:ro", to)
		}
	}
	for name := range c.Volumes {
		assert.Contains(t, strings.Join(s.Volumes, " "), name+":", "every volume is mounted")
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
