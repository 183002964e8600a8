package play

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/trace"
	"gosched/solutions"
)

// played is what became of a program.
type played struct {
	status         int
	stdout, stderr string
}

// playFile runs a program that is given as text.
func playFile(t *testing.T, source string, change func(o *Options)) played {
	t.Helper()
	return playUntil(t, t.Context(), source, change)
}

// playUntil is playFile that ends with ctx.
func playUntil(t *testing.T, ctx context.Context, source string, change func(o *Options)) played {
	t.Helper()
	file := filepath.Join(t.TempDir(), "prog.go")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o644))
	var stdout, stderr bytes.Buffer
	o := Options{Version: solutions.Go, Go: "0.x", Seed: DefaultSeed, Procs: 1, Stdout: &stdout, Stderr: &stderr}
	if change != nil {
		change(&o)
	}
	status := Status(ctx, file, o)
	return played{status, stdout.String(), strings.ReplaceAll(stderr.String(), file, "prog.go")}
}

const hello = "package main\n\nimport \"runtime\"\n\nfunc main() {\n\tgo println(\"two\")\n\tprintln(\"one\")\n\truntime.Gosched()\n}\n"

func TestStatus(t *testing.T) {
	assert.Equal(t, played{0, "", "one\ntwo\n"}, playFile(t, hello, nil))
	assert.Equal(t, played{7, "", ""}, playFile(t, "package main\n\nimport \"os\"\n\nfunc main() { os.Exit(7) }\n", nil))

	got := playFile(t, "package main\n\nfunc main() { var a []int; a[2] = 1 }\n", nil)
	assert.Equal(t, Failed, got.status)
	assert.Contains(t, got.stderr, "panic: runtime error: index out of range [2] with length 0\n\ngoroutine 1 [running]:\nmain.main(...)\n\tprog.go:3\n")

	got = playFile(t, "package main\n\nfunc main() { x }\n", nil)
	assert.Equal(t, Failed, got.status)
	assert.Contains(t, got.stderr, "prog.go:3:15: undefined: x")

	got = playFile(t, hello, func(o *Options) { o.Go = "1.27" })
	assert.Equal(t, Failed, got.status)
	assert.Contains(t, got.stderr, "there is no Go 1.27 in this course")

	o := Options{Version: solutions.Go, Procs: 1, Stdout: os.Stdout, Stderr: &bytes.Buffer{}}
	assert.Equal(t, Failed, Status(t.Context(), "nosuch.go", o))
	assert.Contains(t, o.Stderr.(*bytes.Buffer).String(), "open nosuch.go: ")
}

func TestTrace(t *testing.T) {
	dir := t.TempDir()
	for ending, begin := range map[string]string{".html": "<!doctype html>", ".json": "{", ".jsonl": `{"schema":"gosched/trace/v1","go":"0.x"`} {
		name := filepath.Join(dir, "run"+ending)
		got := playFile(t, hello, func(o *Options) { o.Trace = name })
		assert.Equal(t, played{0, "", "one\ntwo\n"}, got, "the program's output is not changed")
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.True(t, bytes.HasPrefix(text, []byte(begin)), "%s begins with %.40s", ending, text)
		if ending == ".jsonl" {
			log, err := trace.Read(bytes.NewReader(text))
			require.NoError(t, err)
			assert.Equal(t, hello, log.Header.Source)
			assert.Equal(t, trace.End, log.Events[len(log.Events)-1].Kind)
		}
	}
	t.Run("of a program that fails", func(t *testing.T) {
		name := filepath.Join(dir, "fails.jsonl")
		got := playFile(t, "package main\n\nfunc main() { panic(1) }\n", func(o *Options) { o.Trace = name })
		assert.Equal(t, Failed, got.status)
		assert.FileExists(t, name)
	})
	t.Run("wrong ending", func(t *testing.T) {
		got := playFile(t, hello, func(o *Options) { o.Trace = "run.txt" })
		assert.Equal(t, Failed, got.status)
		assert.Equal(t, "", got.stdout, "nothing is run")
		assert.Contains(t, got.stderr, "the ending of run.txt is unknown")
	})
	t.Run("no folder", func(t *testing.T) {
		got := playFile(t, hello, func(o *Options) { o.Trace = filepath.Join(dir, "none", "run.html") })
		assert.Equal(t, Failed, got.status)
		assert.Contains(t, got.stderr, "the trace was not written: ")
	})
}

func TestSim(t *testing.T) {
	simulated := func(procs int) played {
		return playFile(t, hello, func(o *Options) { o.Sim, o.Procs = true, procs })
	}
	got := simulated(4)
	assert.Equal(t, 0, got.status)
	assert.Regexp(t, `^one\ntwo\nsimulated: [0-9.]+µs of virtual time, 4 CPUs, 1 thread: 25% busy on average, 100% the busiest\n\d+ instructions, `, got.stderr)
	assert.Equal(t, got, simulated(4), "the same seed gives the same bytes")

	for want, change := range map[string]func(o *Options){
		"--procs takes 1 to 256, not 257\n":                                                                      func(o *Options) { o.Sim, o.Procs = true, 257 },
		"--procs takes 1 to 256, not 0\n":                                                                        func(o *Options) { o.Procs = 0 },
		"--ask and --signal take a number of instructions, not -1\n":                                             func(o *Options) { o.Ask = -1 },
		"--ask and --signal take a number of instructions, not -2\n":                                             func(o *Options) { o.Signal = -2 },
		"--signal asks as --ask does: take one of them\n":                                                        func(o *Options) { o.Ask, o.Signal = 1, 1 },
		"--schedtrace takes a number of ms, not -5\n":                                                            func(o *Options) { o.Sched = -5 },
		"--scheddetail adds to what --schedtrace prints: say also how often, --schedtrace 10\n":                  func(o *Options) { o.Detail = true },
		"it is the monitor that prints the lines of --schedtrace, and Go 1.0 has none: take --go 1.1 or later\n": func(o *Options) { o.Go, o.Sched = "1.0", 10 },
		"--mem takes 1 to 16384 MiB, not 16385\n":                                                                func(o *Options) { o.Mem = 16385 },
		"--net takes host or sim, not \"wifi\"\n":                                                                func(o *Options) { o.Net = "wifi" },
		"--sim has a network in virtual time, which nobody outside can reach: --net host does not go with it\n":  func(o *Options) { o.Sim, o.Net = true, "host" },
	} {
		assert.Equal(t, played{Failed, "", want}, playFile(t, hello, change))
	}
}

// A goroutine that is asked to stop after each instruction comes on: a prologue at which it
// has stopped is executed before it is asked again.
func TestAskedAlways(t *testing.T) {
	const program = "package main\n\nfunc f(n int) int {\n\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn f(n-1) + 1\n}\n\nfunc main() { println(f(100)) }\n"
	for _, version := range []string{"1.0", "1.2", "1.14"} {
		got := playFile(t, program, func(o *Options) { o.Go, o.Ask = version, 1 })
		assert.Equal(t, played{0, "", "100\n"}, got, version)
		got = playFile(t, program, func(o *Options) { o.Go, o.Signal, o.NoAsync = version, 1, true })
		assert.Equal(t, played{0, "", "100\n"}, got, "%s, with a signal", version)
	}
}

// Two versions run the same program, and are compared; the same seed gives the same bytes.
func TestAgainst(t *testing.T) {
	page := filepath.Join(t.TempDir(), "both.html")
	against := func(trace string) played {
		return playFile(t, hello, func(o *Options) {
			o.Go, o.Against, o.Sim, o.Procs, o.Trace = "1.0", "1.1", true, 2, trace
		})
	}
	got := against(page)
	assert.Equal(t, 0, got.status)
	assert.Regexp(t, `(?s)^-- Go 1\.0 --\none\n.*simulated: .*-- Go 1\.1 --\n.*two\n.*`+
		`-- compared -- +Go 1\.0 +Go 1\.1\nmakespan +[0-9.]+µs +[0-9.]+µs\nwaited for sched\.lock +[0-9.µn]+s +[0-9.µn]+s\nMs +[12] +[12]\nidle beside a runnable G +[0-9.]+% +[0-9.]+%\n$`, got.stderr)
	read := func() string {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		return regexp.MustCompile(`"file":"[^"]*"`).ReplaceAllString(string(text), "") // a new one each time
	}
	first := read()
	assert.Contains(t, first, `data-left="1.0" data-right="1.1"`)
	assert.Equal(t, got, against(page))
	assert.True(t, first == read(), "the pages differ")

	for want, change := range map[string]func(o *Options){
		"--against compares times, and only those of simulated CPUs can be compared: add --sim\n":             func(o *Options) { o.Sim = false },
		"--against writes two timelines next to each other: --trace takes FILE.html with it, not run.jsonl\n": func(o *Options) { o.Trace = "run.jsonl" },
		"there is no Go 1.3 in this course; it has " + fmt.Sprint(gmp.Releases) + "\n":                        func(o *Options) { o.Against = "1.3" },
		"Go 1.0 cannot be shown next to itself: --against takes another version\n":                            func(o *Options) { o.Against = "1.0" },
	} {
		got := playFile(t, hello, func(o *Options) {
			o.Go, o.Against, o.Sim = "1.0", "1.1", true
			change(o)
		})
		assert.Equal(t, played{Failed, "", want}, got, "nothing is run")
	}

	t.Run("a program that fails", func(t *testing.T) {
		const fails = "package main\n\nfunc main() { panic(1) }\n"
		page := filepath.Join(t.TempDir(), "both.html")
		got := playFile(t, fails, func(o *Options) { o.Go, o.Against, o.Sim, o.Trace = "1.0", "1.1", true, page })
		assert.Equal(t, Failed, got.status)
		assert.Equal(t, 2, strings.Count(got.stderr, "panic: 1"))
		assert.Contains(t, got.stderr, "-- compared --")
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		assert.Contains(t, string(text), `data-left="1.0" data-right="1.1"`)
	})

	// What there is until somebody ends a run is written: the first timeline, or both.
	const stays = "package main\n\nimport \"runtime\"\n\nfunc main() {\n\tgo func() {\n\t\tfor {\n\t\t}\n\t}()\n\tprintln(\"ready\")\n\truntime.Gosched()\n}\n"
	for _, tt := range []struct{ first, second, stderr, page string }{
		{"1.0", "1.26", `(?s)^-- Go 1\.0 --\nready\nstopped: the run was ended after .*\n\n-- Go 1\.26 was not run --\n$`, `class="tl"`},
		{"1.26", "1.0", `(?s)^-- Go 1\.26 --\nready\nsimulated: .*\n-- Go 1\.0 --\nready\nstopped: the run was ended after `, `data-left="1.26" data-right="1.0"`},
	} {
		t.Run("ended, "+tt.first+" against "+tt.second, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			page := filepath.Join(t.TempDir(), "both.html")
			got := playUntil(t, ctx, stays, func(o *Options) {
				o.Go, o.Against, o.Sim, o.Trace = tt.first, tt.second, true, page
				n := 0
				o.Stderr = &observed{o.Stderr, func(text string) {
					if n += strings.Count(text, "ready"); n > 0 && (tt.first == "1.0" || n > 1) {
						cancel(gmp.Ending{Why: "stopped", Status: 130})
					}
				}}
			})
			assert.Equal(t, 130, got.status)
			assert.Regexp(t, tt.stderr, got.stderr)
			assert.NotContains(t, got.stderr, "compared", "half a run cannot be compared")
			text, err := os.ReadFile(page)
			require.NoError(t, err)
			assert.Contains(t, string(text), tt.page)
		})
	}
}

// observed tells of what is written before it is.
type observed struct {
	io.Writer
	tell func(text string)
}

func (o *observed) Write(p []byte) (int, error) {
	o.tell(string(p))
	return o.Writer.Write(p)
}

// A scheduler whose threads sleep for ever ends the simulation, and leaves the trace up to there.
func TestTraceOfDeadlock(t *testing.T) {
	for against, want := range map[string]string{"": `class="tl"`, "0.x": `data-left="1.0" data-right="0.x"`} {
		page := filepath.Join(t.TempDir(), "run.html")
		got := playFile(t, hello, func(o *Options) {
			o.Go, o.Against, o.Sim, o.Trace = "1.0", against, true, page
			o.Version = func(release string) (gmp.Version, error) {
				v, err := solutions.Go(release)
				loop := v.Loop
				v.Loop = func(s *gmp.Sched) gmp.Loop { return sleeping{loop(s)} }
				return v, err
			}
		})
		assert.Equal(t, Failed, got.status)
		assert.Contains(t, got.stderr, "the scheduler failed: deadlock: ")
		assert.NotContains(t, got.stderr, "compared")
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		assert.Contains(t, string(text), want)
		assert.Contains(t, string(text), "the simulation has ended")
	}
}

// sleeping is a Loop that sleeps for ever.
type sleeping struct{ gmp.Loop }

func (sleeping) Schedule(*gmp.M) {
	var n machine.Note
	n.Sleep()
}

// A student's scheduler may be unfinished or wrong; the program is not to blame.
func TestOwnScheduler(t *testing.T) {
	with := func(loop gmp.Loop) func(o *Options) {
		return func(o *Options) {
			o.Own = true
			o.Version = func(release string) (gmp.Version, error) {
				v, err := solutions.Go(release)
				v.Loop = func(s *gmp.Sched) gmp.Loop { return loop }
				return v, err
			}
		}
	}
	got := playFile(t, hello, with(unwritten{}))
	assert.Equal(t, Failed, got.status)
	assert.Equal(t, "your scheduler is not complete: Schedule is not written yet\n", got.stderr)

	got = playFile(t, hello, with(wrong{}))
	assert.Equal(t, Failed, got.status)
	assert.Contains(t, got.stderr, "your scheduler failed: ")
	assert.Contains(t, got.stderr, "index out of range [3]")
	assert.Contains(t, got.stderr, "play_test.go:")
}

type unwritten struct{ gmp.Loop }

func (unwritten) Schedule(*gmp.M) { panic(gmp.TODO("Schedule")) }

type wrong struct{ gmp.Loop }

func (wrong) Schedule(mp *gmp.M) {
	var queue []int
	queue[3] = 1
}

func TestFlags(t *testing.T) {
	var o Options
	flags := pflag.NewFlagSet("play", pflag.ContinueOnError)
	o.AddFlags(flags)
	assert.EqualValues(t, DefaultSeed, o.Seed)
	require.NoError(t, flags.Parse([]string{"--go", "1.1", "--seed", "7", "--trace", "x.html", "--sim", "--procs", "64", "--ask", "500", "--signal", "300", "--asyncpreemptoff", "--mem", "256", "--", "prog.go", "-a"}))
	assert.Equal(t, Options{Go: "1.1", Seed: 7, Trace: "x.html", Sim: true, Procs: 64, Ask: 500, Signal: 300, NoAsync: true, Mem: 256}, o)
	assert.Equal(t, []string{"prog.go", "-a"}, flags.Args())
}

// Where no version is named it is the newest that can be played, on one P, too.
func TestNewestIsTheDefault(t *testing.T) {
	versions := solutions.Versions()
	newest := versions[len(versions)-1]
	for _, procs := range []int{1, 4} {
		name := filepath.Join(t.TempDir(), "run.jsonl")
		got := playFile(t, hello, func(o *Options) { o.Go, o.Procs, o.Trace = "", procs, name })
		assert.Equal(t, 0, got.status)
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		log, err := trace.Read(bytes.NewReader(text))
		require.NoError(t, err)
		assert.Equal(t, newest, log.Header.Go)
	}
	got := playFile(t, hello, func(o *Options) { o.Go, o.Against, o.Sim = "", newest, true })
	assert.Equal(t, played{Failed, "", "Go " + newest + " cannot be shown next to itself: --against takes another version\n"}, got)
}
