package policy

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/policy/exports"
	"gosched/chapters"
)

// part is a file of parts with some imports and code; the code begins in line 9.
func part(imports, code string) string {
	return "package ch07\n\nimport (\n\t\"gosched/chapters/gmp\"\n\t\"gosched/chapters/machine\"\n\t" + imports + "\n)\n\n" + code + "\n"
}

// mine and mend are the test that a student writes, and a part to mend.
func mine(imports, code string) string {
	return "package ch07_test\n\nimport (\n\t\"gosched/chapters/check\"\n\t\"gosched/chapters/gmp\"\n\t" + imports + "\n)\n\n" + code + "\n"
}

const (
	partFile = "exercises/ch07_runq/runq.go"
	mineFile = "exercises/ch07_runq/mine_test.go"
	mendFile = "exercises/ch07_runq/mend_test.go"
)

// packages are those that students import.
var packages = sync.OnceValues(func() (*Packages, error) {
	paths := slices.Concat(Always, pure, besides)
	for _, ch := range chapters.All {
		if ch.Suite != nil {
			paths = append(paths, "gosched/chapters/"+ch.Dir)
		}
	}
	files, err := exports.Files(context.Background(), root, nil, paths)
	return NewPackages(exports.Importer(files)), err
})

// judged are all findings about a package of one file.
func judged(t *testing.T, name string, text []byte) []Finding {
	t.Helper()
	known, err := packages()
	require.NoError(t, err)
	return append(Check(name, text), known.Names(map[string][]byte{name: text})...)
}

func TestCheck(t *testing.T) {
	const s = "func f(s *gmp.Sched, mp *gmp.M) {\n\t"
	for _, tt := range []struct {
		name, file, text string
		line             int
		what             string
	}{
		{"a package of the system", partFile, part(`"os"`, "func f() { os.Exit(0) }"), 6, `it imports "os"`},
		{"system calls", partFile, part(`"syscall"`, ""), 6, `it imports "syscall"`},
		{"unsafe", partFile, part(`"unsafe"`, ""), 6, `it imports "unsafe"`},
		{"reflect", partFile, part(`"reflect"`, ""), 6, `it imports "reflect"`},
		{"the stack of the caller", partFile, part(`"runtime"`, ""), 6, `it imports "runtime"`},
		{"the settings of the runtime", partFile, part(`"runtime/debug"`, ""), 6, `it imports "runtime/debug"`},
		{"the clock", partFile, part(`"time"`, ""), 6, `it imports "time"`},
		{"the network", partFile, part(`"net/http"`, ""), 6, `it imports "net/http"`},
		{"flags of the test", partFile, part(`"flag"`, ""), 6, `it imports "flag"`},
		{"plugins", partFile, part(`"plugin"`, ""), 6, `it imports "plugin"`},
		{"random numbers with a state of the process", partFile, part(`"math/rand"`, ""), 6, `it imports "math/rand"`},
		{"cgo", partFile, part("\"C\"", ""), 6, `it imports "C"`},
		{"embedded files", partFile, part("_ \"embed\"", ""), 6, `it imports "embed"`},
		{"package testing in a part", partFile, part(`"testing"`, ""), 6, `it imports "testing"`},
		{"the checks", partFile, part(`"gosched/chapters/check"`, ""), 6, `it imports "gosched/chapters/check"`},
		{"the suite", partFile, part(`suite "gosched/chapters/ch07_runq"`, ""), 6, `it imports "gosched/chapters/ch07_runq"`},
		{"the solutions", partFile, part(`"gosched/solutions"`, ""), 6, `it imports "gosched/solutions"`},
		{"the solution of the chapter", partFile, part(`right "gosched/solutions/ch07_runq"`, ""), 6, `it imports "gosched/solutions/ch07_runq"`},
		{"the explorer", partFile, part(`"gosched/chapters/machine/explore"`, ""), 6, `it imports "gosched/chapters/machine/explore"`},
		{"the simulator", partFile, part(`"gosched/chapters/machine/sim"`, ""), 6, `it imports "gosched/chapters/machine/sim"`},
		{"another's module", partFile, part(`"example.com/scheduler"`, ""), 6, `it imports "example.com/scheduler"`},
		{"the exercise in its own test", mineFile, mine(`"gosched/exercises/ch07_runq"`, ""), 6, `it imports "gosched/exercises/ch07_runq"`},
		{"the suite of another chapter", mineFile, mine(`suite "gosched/chapters/ch08_loop"`, ""), 6, `it imports "gosched/chapters/ch08_loop"`},
		{"a dot import", partFile, part(`. "strings"`, ""), 6, `it imports "strings" as .`},
		{"an import for its effect", partFile, part(`_ "strings"`, ""), 6, `it imports "strings" as _`},
		{"an import by another's name", partFile, part(`fmt "strings"`, ""), 6, `it imports "strings" under the name fmt, which means something else`},
		{"an import by Go's own name", partFile, part(`len "strings"`, ""), 6, `it imports "strings" under the name len, which means something else`},

		{"init", partFile, part("", "func init() {}"), 9, "the function init runs without being called"},
		{"TestMain", mineFile, mine("", "func TestMain() {}"), 9, "the function TestMain runs without being called"},
		{"linkname", partFile, part("", "//go:linkname f runtime.exit\nfunc f()"), 9, "there is the directive //go:linkname"},
		{"a build constraint", partFile, "//go:build linux\n\npackage ch07\n", 1, "there is the directive //go:build"},
		{"an old build constraint", partFile, "// +build linux\n\npackage ch07\n", 1, "there is a build constraint"},
		{"no race detector", partFile, part("", "//go:norace\nfunc f() {}"), 9, "there is the directive //go:norace"},
		{"a debug setting", partFile, "//go:debug panicnil=1\npackage ch07\n", 1, "there is the directive //go:debug"},
		{"a directive for embedding", partFile, part("", "//go:embed x\nvar x string"), 9, "there is the directive //go:embed"},
		{"a line directive", partFile, part("", "//line suite.go:1\nfunc init() {}"), 9, "there is a line directive"},
		{"lines counted as they stand", partFile, part("", "//line suite.go:1\nfunc init() {}"), 10, "the function init runs without being called"},
		{"a short line directive", partFile, part("", "/*line suite.go:1*/ var x int"), 9, "there is a line directive"},
		{"a goroutine", partFile, part("", s+"go s.Wakep(mp)\n}"), 10, "it starts a goroutine"},
		{"a lock that no exploration sees", partFile, part(`"sync"`, "var mu sync.Mutex"), 6, `it imports "sync"`},
		{"an atomic that no exploration sees", partFile, part(`"sync/atomic"`, "var n atomic.Int32"), 6, `it imports "sync/atomic"`},
		{"a coroutine", partFile, part(`"iter"`, "var f = iter.Pull[int]"), 9, "it uses iter.Pull"},
		{"a panic recovered", partFile, part("", s+"defer func() { recover() }()\n}"), 10, "it recovers from panics"},
		{"standard input", partFile, part(`"fmt"`, s+"fmt.Scanln()\n}"), 10, "it uses fmt.Scanln"},

		{"a hook", partFile, part("", s+"machine.SetHook(nil)\n}"), 10, "it uses machine.SetHook"},
		{"whether it is explored", partFile, part("", "var x = machine.Explored()"), 9, "it uses machine.Explored"},
		{"a thread", partFile, part("", s+"machine.Newosproc(\"\", nil)\n}"), 10, "it uses machine.Newosproc"},
		{"a machine of its own", partFile, part("", "var x = machine.New"), 9, "it uses machine.New"},
		{"a scheduler of its own", partFile, part("", "var x = gmp.NewBare"), 9, "it uses gmp.NewBare"},
		{"a part exchanged", partFile, part("", s+"s.RunQueue = nil\n}"), 10, "it changes RunQueue"},
		{"all parts exchanged", partFile, part("", s+"s.Parts = s.Tap(nil)\n}"), 10, "it changes Parts"},
		{"a part by its address", partFile, part("", s+"p := &s.RunQueue\n\t_ = p\n}"), 10, "it takes the address of RunQueue"},
		{"a part in a loop", partFile, part("", s+"for _, s.RunQueue = range []gmp.RunQueue{nil} {\n\t}\n}"), 10, "it changes RunQueue"},
		{"a part as a value", partFile, part("", s+"var x any = s.RunQueue\n\t_ = x\n}"), 10, "it uses the part RunQueue as a value"},
		{"the constructor of a part", partFile, part("", s+"_ = s.Version().RunQueue(s)\n}"), 10, "it uses the part RunQueue as a value"},
		{"another machine", partFile, part("", s+"s.Machine = nil\n}"), 10, "it changes Machine"},
		{"the end of the run", partFile, part("", s+"s.Machine.Halt()\n}"), 10, "it uses Halt, which is for what runs and watches the parts"},
		{"what checks add", partFile, part("", s+"s.Tap(nil)\n}"), 10, "it uses Tap, which is for what runs and watches the parts"},
		{"a system call of the program", partFile, part("", s+"mp.Thread.Syscall(nil)\n}"), 10, "it uses Syscall, which is for what runs and watches the parts"},
		{"a method by an interface", partFile, part("", s+"any(s).(interface{ Main() gmp.Result }).Main()\n}"), 10, "it uses Main, which is for what runs and watches the parts"},
		{"a package's name for the scheduler", partFile, part("", s+"gmp := s\n\tgmp.RunQueue = nil\n}"), 11, "it changes RunQueue"},
		{"a package's name for the hook", partFile, part("", s+"strings := machine.SetHook\n\tstrings(nil)\n}"), 10, "it uses machine.SetHook"},
		{"the part Timers by its address", partFile, part("", s+"p := &s.Timers\n\t*p = nil\n}"), 10, "it takes the address of Timers"},
		{"the part Timers exchanged", partFile, part("", s+"s.Timers = nil\n}"), 10, "it changes Timers"},
		{"the part Timers in a struct of one's own", partFile, part("", "type own struct{ *gmp.Sched }\n\nfunc f(o own) *gmp.Timers { return &o.Timers }"), 11, "it takes the address of Timers"},
		{"the part Timers in a constant loop", partFile, part("", s+"for _, s.Timers = range []gmp.Timers{nil} {\n\t}\n}"), 10, "it changes Timers"},
		{"the right part Timers", partFile, part("", s+"_ = s.Version().Timers(s)\n}"), 10, "it uses the part Timers as a value"},
		{"a scheduler copied by its pointer", partFile, part("", s+"old := *s\n\t_ = old.Lock\n}"), 10, "it has a gmp.Sched as a value"},
		{"a scheduler written over by another", partFile, part("", s+"*s = *mp.P.Get().M.Get().Thread\n}"), 10, "it has a gmp.Sched as a value"},
		{"a scheduler copied by a generic function", partFile, part("", "func set[T any](p, q *T) { *p = *q }\n\nfunc f(s, o *gmp.Sched) { set(s, o) }"), 11, "it has a gmp.Sched as a type argument"},
		{"a machine copied", partFile, part("", s+"m := (*s.Machine)\n\t_ = m.Size\n}"), 10, "it has a machine.Machine as a value"},
		{"a version in a struct of one's own", partFile, part("", "type own struct{ RunQueue func(*gmp.Sched) gmp.RunQueue }\n\nfunc f(o own, s *gmp.Sched) { o.RunQueue(s) }"), 11, "it uses the part RunQueue as a value"},
		{"a method of anybody's interface", partFile, part("", "func f[T interface{ Halt() }](x T) { x.Halt() }"), 9, "it uses Halt, which is for what runs and watches the parts"},
		{"a method by a method expression", partFile, part("", "var f = (*gmp.Sched).Main"), 9, "it uses Main, which is for what runs and watches the parts"},
		{"a method of an embedded scheduler", partFile, part("", "type own struct{ *gmp.Sched }\n\nfunc (o own) f() { o.Main() }"), 11, "it uses Main, which is for what runs and watches the parts"},
		{"a panic recovered in parentheses", partFile, part("", s+"defer func() { (recover)() }()\n}"), 10, "it recovers from panics"},
		{"a buffer of package strings", partFile, part(`"strings"`, s+"s.Stderr().(*strings.Builder).Reset()\n}"), 10, "it asks a value whether it has other methods"},
		{"a buffer by a type parameter", partFile, part("", "func as[T any](x any) T { return x.(T) }"), 9, "it asks a value whether it has other methods"},
		{"a buffer by an alias", partFile, part("", "type r = interface{ Reset() }\n\nfunc f(x any) { x.(r).Reset() }"), 11, "it asks a value whether it has other methods"},
		{"the program's text", partFile, part("", s+"_ = s.Program().Files[0].Source\n}"), 10, "it uses Files of the program"},
		{"the program's data changed", partFile, part("", s+"s.Program().Data[0] = 1\n}"), 10, "it uses Data of the program"},
		{"a function of the program changed", partFile, part("", s+"s.Program().FuncAt(0).Name = \"\"\n}"), 10, "it changes Name of machine.Func"},
		{"a look that no exploration sees", partFile, part("", s+"_ = mp.Curg.Peek()\n}"), 10, "it uses Peek"},
		{"memory that no exploration sees", partFile, part("", s+"clear(s.Machine.Bytes(0, 8))\n}"), 10, "it uses Bytes, which is for what runs and watches the parts"},
		{"a scheduler copied", partFile, part("", "var old gmp.Sched"), 9, "it has a gmp.Sched as a value"},
		{"a machine written over", partFile, part("", s+"*s.Machine = machine.Machine{}\n}"), 10, "it has a machine.Machine as a value"},
		{"another package's variable", partFile, part("", s+"gmp.None.RunQueue = nil\n}"), 10, "it changes RunQueue"},
		{"another package's variable whole", partFile, part("", s+"gmp.PdReady = nil\n}"), 10, "it changes gmp.PdReady, a variable of another package"},
		{"the address of another package's variable", partFile, part("", "var x = &gmp.None"), 9, "it takes the address of gmp.None, a variable of another package"},
		{"an element of another package's variable", partFile, part("", s+"gmp.None.Name[0]++\n}"), 10, "it changes gmp.None, a variable of another package"},
		{"state in a mark", partFile, part("", s+"gmp.PdReady.Goid.Set(1)\n}"), 10, "it uses gmp.PdReady as a G"},
		{"state in a table of the standard library", partFile, part(`"unicode"`, s+"t := unicode.Categories\n\tt[\"x\"] = nil\n}"), 10, "it uses the table unicode.Categories"},
		{"the printer of package fmt", partFile, part(`"fmt"`, "type keeper struct{ p fmt.State }"), 9, "it uses fmt.State"},
		{"lines of the program by another name", partFile, part("", s+"l := s.Program().FuncAt(0).Lines\n\tl[0].Line = 1\n}"), 10, "it uses Lines of machine.Func"},
		{"a type of the program as one's own", partFile, part("", "type own machine.Frame\n\nfunc f(x *machine.Frame) { (*own)(x).Func = nil }"), 11, "it changes Func of machine.Frame"},
		{"a type of the program written again", partFile, part("", "type own struct {\n\tFunc *machine.Func\n\tPC machine.PC\n\tSP, Ret machine.Addr\n}\n\nfunc f(x *machine.Frame) { (*own)(x).Func = nil }"), 15, "it changes Func of machine.Frame"},
		{"a panic recovered by fmt", partFile, part("", "type quietly func()\n\nfunc (do quietly) String() string { do(); return \"\" }"), 11, "it has a method String of a type that has more than numbers and words"},
		{"a panic recovered by fmt in an error", partFile, part("", "type quietly[T any] struct{ do T }\n\nfunc (q *quietly[T]) Error() string { return \"\" }"), 11, "it has a method Error of a type that has more than numbers and words"},
		{"a panic recovered by fmt from afar", partFile, part("", "type quietly int\n\nvar do func()\n\nfunc (quietly) String() string { do(); return \"\" }"), 13, "it has a method String, and uses the package variable do, which has more than numbers and words"},
		{"a panic recovered by testify", mendFile, mine(`"github.com/stretchr/testify/assert"`, "func f() { assert.Panics(nil, func() {}) }"), 9, "it recovers from panics with assert.Panics"},
		{"a pointer to the scheduler as a type of one's own", partFile, part("", "type own (*gmp.Sched)"), 9, "it declares a type *gmp.Sched of its own"},
		{"a program as a type of one's own", partFile, part("", "type own machine.Program"), 9, "it has a machine.Program as a value"},
		{"a method of the reference that would be withheld", partFile, part("", s+"panic(gmp.Todo{Withheld: true})\n}"), 10, "it uses gmp.Todo"},
		{"a word of Go's own", partFile, part("", "func len(x any) int { return 0 }"), 9, "it declares len, which is Go's own"},

		{"state in a test", mineFile, mine("", "var calls int"), 9, "it has the package variable calls"},
		{"state in a test beside a name that is none", mineFile, mine("", "var _, calls = 0, 0"), 9, "it has the package variable calls"},
		{"a test in the package of the parts", mineFile, strings.Replace(mine("", ""), "ch07_test", "ch07", 1), 1, "it belongs to package ch07"},
		{"types printed in a test", mineFile, mine(`"fmt"`, ""), 6, `it imports "fmt"`},
		{"a check asked for its type", mineFile, mine("", "func f(t check.TB) { t.(interface{ On(gmp.Version) }).On(gmp.Version{}) }"), 9, "it asks a value whether it has other methods"},
		{"a type switch", mineFile, mine("", "func f(t check.TB) {\n\tswitch t.(type) {\n\tcase interface{ Failed() bool }:\n\t}\n}"), 11, "it asks a value whether it has other methods"},
		{"a TB of one's own", mineFile, mine("", "type spy struct{}\n\nfunc (spy) Errorf(string, ...any) {}"), 11, "it has a method Errorf"},
		{"more of package check", mineFile, mine("", "var _ check.Suite"), 9, "it uses check.Suite"},
		{"the right parts in a test", mineFile, mine(`"gosched/solutions"`, "func f(t check.TB, s *gmp.Sched) { solutions.Base(\"ch07\") }"), 9, "it uses solutions.Base"},
		{"the suite in a test", mineFile, mine(`suite "gosched/chapters/ch07_runq"`, "func f() { suite.Suite.Checks = nil }"), 9, "it uses suite.Suite"},
		{"files by testify", mineFile, mine(`"github.com/stretchr/testify/assert"`, "func f(t check.TB) { assert.FileExists(t, \"x\") }"), 9, "it uses assert.FileExists"},
		{"a value printed by testify", mineFile, mine(`"github.com/stretchr/testify/assert"`, "func f(t check.TB, s *gmp.Sched) { assert.NotRegexp(t, `^.{`, s) }"), 9, "it uses assert.NotRegexp"},
		{"a type compared by testify", mineFile, mine(`"github.com/stretchr/testify/assert"`, "func f(t check.TB, x any) { assert.IsType(t, x, t) }"), 9, "it uses assert.IsType"},
		{"a TB of testify", mineFile, mine(`"github.com/stretchr/testify/assert"`, "var _ assert.CollectT"), 9, "it uses assert.CollectT"},
		{"the right parts in a method to mend", mendFile, mine(`"gosched/solutions"`, "func (p put) Runqput() { solutions.Base(\"ch07\").RunQueue(p.s).Runqput() }"), 9, "it uses solutions.Base"},
		{"a test that is not the course's", "exercises/ch07_runq/more_test.go", "package ch07_test\n", 0, "it is a test that is not the course's"},

		{"an order of its own", partFile, part("", "// \u202e } ;fi"), 9, "there is U+202E, which changes the order in which the line is shown"},
		{"an isolate", partFile, part("", "const x = \"\u2066\""), 9, "there is U+2066, which changes the order in which the line is shown"},
		{"a space without width", partFile, part("", "const x = \"a\u200bb\""), 9, "there is the invisible character U+200B"},
		{"a letter without form", partFile, part("", "var \u3164 int"), 9, "there is the invisible character U+3164"},
		{"a byte order mark", partFile, "\ufeffpackage ch07\n", 1, "there is the invisible character U+FEFF"},
		{"a Cyrillic letter among Latin ones", partFile, part("", "var m\u0430x int"), 9, "the name \"m\\u0430x\" has letters that look like Latin ones and are not"},
		{"a name that looks Latin", partFile, part("", "var \u0441\u043e\u0440\u0443 int"), 9, "the name \"\\u0441\\u043e\\u0440\\u0443\" has letters that look like Latin ones and are not"},
		{"NUL", partFile, part("", "// \x00"), 9, "there is the control character U+0000"},
		{"a line that returns", partFile, part("", "// x\rfunc f() {}"), 9, "there is the control character U+000D"},
		{"an escape sequence", partFile, part("", "// \x1b[2K"), 9, "there is the control character U+001B"},
		{"another encoding", partFile, part("", "// \xff"), 9, "it is not UTF-8 here"},
		{"a large file", partFile, part("", strings.Repeat("// x\n", MaxFile/5)), 0, "it has 1048656 bytes"},
		{"a long line", partFile, part("", "// "+strings.Repeat("x", MaxLine)), 9, "the line has 4099 bytes"},
		{"deep nesting", partFile, part("", "var x = "+strings.Repeat("(", 300)+"1"+strings.Repeat(")", 300)), 9, "it is nested more than 200 deep"},
		{"a check's buffer emptied", partFile, part("", s+"s.Stderr().(interface{ Reset() }).Reset()\n}"), 10, "it asks a value whether it has other methods"},
		{"a buffer as a Stringer", partFile, part(`"fmt"`, s+"_ = s.Stderr().(fmt.Stringer)\n}"), 10, "it asks a value whether it has other methods"},
		{"a buffer by an interface's name", partFile, part("", "type r interface{ Reset() }\n\nfunc f(x any) { x.(r).Reset() }"), 11, "it asks a value whether it has other methods"},
		{"a buffer by another's name", partFile, part(`"fmt"`, "type r fmt.Stringer\n\nfunc f(x any) { _ = x.(r) }"), 11, "it asks a value whether it has other methods"},
		{"a buffer by a hidden name", partFile, part("", "type r struct{}\n\nfunc f(x any) {\n\ttype r interface{ Reset() }\n\tx.(r).Reset()\n}"), 13, "it asks a value whether it has other methods"},
		{"the program changed", partFile, part("", s+"s.Program().Code[0] = 0\n}"), 10, "it uses Code"},
		{"the clock in a test", mineFile, mine(`"gosched/chapters/machine"`, "func f(t check.TB, s *gmp.Sched) bool { return machine.Nanotime() > 1e9 }"), 9, "it uses machine.Nanotime"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var found []string
			for _, f := range judged(t, tt.file, []byte(tt.text)) {
				assert.Equal(t, tt.file, f.File)
				assert.NotEmpty(t, f.Instead)
				assert.NotRegexp(t, `\.$`, f.Instead)
				found = append(found, fmt.Sprintf("%d: %s", f.Line, f.What))
			}
			assert.Contains(t, found, fmt.Sprintf("%d: %s", tt.line, tt.what))
		})
	}
}

// What someone may well write, and what only looks like what is refused.
func TestAllowed(t *testing.T) {
	for name, code := range map[string]string{
		"a table":                                  "var table = build()\n\nfunc build() []int { return nil }",
		"Go's max, from before":                    "func max(a, b int) int { return a }",
		"names in another script":                  "var сумма, Δt, größe, 队列 int",
		"a whole value":                            "func f(sg *gmp.Sudog, q *gmp.GQueue) {\n\t*sg = gmp.Sudog{}\n\t*q = gmp.GQueue{}\n}",
		"the timers of a P":                        "func f(pp *gmp.P) *gmp.TimerList { return &pp.Timers }",
		"a part that there is":                     "func f(s *gmp.Sched) bool { return s.Version().Signals != nil }",
		"output":                                   "func f(s *gmp.Sched) { println(1); s.Printf(\"x\") }",
		"a directive that does no harm":            "//go:noinline\nfunc f() {}",
		"a method that is continued":               "var f = (*gmp.Sched).ChansendDone",
		"types that are asked for":                 "type mine struct{}\n\ntype number uint32\n\nfunc f(x any) {\n\tswitch x.(type) {\n\tcase *gmp.G, machine.Fatal, mine, *mine, number, []int, error, nil:\n\t}\n}",
		"a method called init":                     "type t int\n\nfunc (t) init() {}",
		"the name of a package for something else": "func f(s *gmp.Sched) uint64 {\n\tmachine := s.Machine\n\treturn machine.Word(0)\n}",
		"names that are refused of the course's":   "type box struct{ Machine, Run, Code int }\n\nfunc (box) With() {}\n\nfunc (b *box) Main() { b.With(); b.Run, b.Code = 1, 2; p := &b.Machine; *p = 3 }",
		"a method of the standard library":         "func f() int {\n\tl := list.New()\n\treturn l.Len()\n}",
		"values that say what they are":            "type state uint32\n\nvar names = map[state]string{0: \"idle\"}\n\nfunc (s state) String() string { return names[s] }\n\ntype wrong struct {\n\tstate\n\tin  []uint64\n\tof  *wrong\n\twhy gmp.WaitReason\n}\n\nfunc (w *wrong) Error() string { return w.String() }",
		"a text about a directive":                 "// go:linkname is not for us; nor is //go:linkname\nvar _ machine.PC",
	} {
		assert.Empty(t, judged(t, partFile, []byte(part(`"container/list"`, code))), name)
	}
	assert.Empty(t, judged(t, mineFile, []byte(mine(`"github.com/stretchr/testify/assert"`, "func f(t check.TB, n int) { assert.Equalf(t, 1, n, `%d`, n); assert.LessOrEqual(t, n, 1) }"))))
	assert.Empty(t, judged(t, partFile, []byte("package ch07\n\nfunc {\n")), "the compiler says it")
	assert.Empty(t, judged(t, partFile, []byte("package ch07\r\n\r\nvar x int\r\n")), "lines as Windows ends them")
	assert.Equal(t, `exercises/ch07_runq/runq.go:6: it imports "time"; the clock is s.Nanotime, and a thread sleeps on a machine.Note`,
		judged(t, partFile, []byte(part(`"time"`, "")))[0].String())
}

func TestParses(t *testing.T) {
	assert.True(t, Parses([]byte("package p\n")))
	assert.False(t, Parses([]byte("package p\n\nfunc {\n")))
}

func TestGiven(t *testing.T) {
	const stub = `package ch07_test

import "gosched/solutions"

// right is right.
type right struct{ s int }

func with() int { return solutions.Base("ch07") }

type put struct{ right }

func (p put) Runqput() { p.right.Runqput(); wrong() }

func met() { panic("TODO") }
`
	solution := strings.NewReplacer("wrong()", "better()", `panic("TODO")`, `return`).Replace(stub)
	for _, tt := range []struct{ name, old, new, want string }{
		{"as given", "", "", ""},
		{"solved", "wrong()", "better()", ""},
		{"another comment, another layout", "// right is right.\ntype right struct{ s int }", "type right struct {\n\ts int // is s\n}", ""},
		{"does not parse", "func met() {", "func met( {", ""},
		{"given code changed", `return solutions.Base("ch07")`, `return solutions.Base("ch08")`, "mend_test.go:8: function with, which was given, has changed"},
		{"given code gone", "type right struct{ s int }", "", "mend_test.go: type right, which was given, is gone"},
		{"one more function", "func met() {", "func help() {}\n\nfunc met() {", "mend_test.go:14: function help is new"},
		{"twice", "func met() {", "func (p put) Runqput() {}\n\nfunc met() {", "mend_test.go:14: method put.Runqput is declared twice"},
		{"the work left to the right one", "wrong()", "p.right.Runqput()", "mend_test.go:12: method put.Runqput leaves the work to another Runqput"},
		{"left to the right one by a value", "wrong()", "f := p.right.Runqput; f()", "mend_test.go:12: method put.Runqput leaves the work to another Runqput"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(stub, tt.old, tt.new, 1)
			var found []string
			for _, f := range Given("mend_test.go", []byte(text), []byte(stub), []byte(solution)) {
				first, _, _ := strings.Cut(f.String(), ";")
				found = append(found, first)
			}
			if tt.want == "" {
				assert.Empty(t, found)
			} else {
				assert.Contains(t, found, tt.want)
			}
		})
	}
	changed := Given(mendFile, []byte(strings.Replace(stub, `"ch07"`, `"ch08"`, 1)), []byte(stub), []byte(solution))
	require.Len(t, changed, 1)
	assert.Equal(t, "go run ./autograder reset ch07 with gives it back", changed[0].Instead)
	changed = Given(mendFile, []byte(strings.Replace(stub, "s int", "t int", 1)), []byte(stub), []byte(solution))
	require.Len(t, changed, 1)
	assert.Equal(t, "write it as it was given: go run ./autograder reset ch07 mend_test.go gives the file back, and keeps a copy of yours", changed[0].Instead)
	more := strings.Replace(stub, "func met() {", "func help() {}\n\nfunc met() {", 1)
	assert.Empty(t, Given("mine_test.go", []byte(more), []byte(stub), []byte(solution)), "a test may have helpers")
}

func TestParts(t *testing.T) {
	own := []string{"RunQueue"}
	for text, want := range map[string]string{
		"var Parts = gmp.Version{RunQueue: NewRunQueue}":                        "",
		"var Parts = gmp.Version{RunQueue: NewRunQueue, Statuses: NewStatuses}": "runq.go:3: its version has Statuses; this chapter is about RunQueue",
		"var Parts = gmp.Version{\n\tName: \"1.1\",\n}":                         "runq.go:4: its version has Name; this chapter is about RunQueue",
		"var Parts = gmp.Version{\"1.1\"}":                                      "runq.go:3: its version has a part without its name; this chapter is about RunQueue",
		"func {":                                                                "",
	} {
		var found string
		for _, f := range Parts("runq.go", []byte("package ch07; import v \"gosched/chapters/gmp\"; import \"gosched/chapters/gmp\"\n\n"+text+"\n"), own) {
			found = f.String()
		}
		assert.Equal(t, want, found)
	}
}

func TestIdle(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                    true,
		"var x, y = 1, map[string]int{}":      true,
		"var m = make(map[string]int)":        true,
		"var f = func() { panic(1) }":         true,
		"const c = len(s)":                    true,
		"func (t) init() {}":                  true,
		"func init() {}":                      false,
		"func TestMain(m *testing.M) {}":      false,
		"var x = f()":                         false,
		"var x = []int{f()}":                  false,
		"var x = <-c":                         false,
		"var x = func() int { return 1 }()":   false,
		"func make() int { return exit() }":   false,
		"import \"embed\"\n\nvar fs embed.FS": false,
		"import \"C\"":                        false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package p\n\n"+text, 0)
		require.NoError(t, err)
		assert.Equal(t, want, Idle(f), text)
	}
}

// Whatever a file holds, it is judged and not fallen over.
func FuzzCheck(f *testing.F) {
	f.Add([]byte(part("", "func () f() {}\n\nfunc (t) g[T any]() { for range 3 {} }")))
	f.Add([]byte(mine("", "func f(t check.TB) { switch x := t.(type) { case nil: _ = x } }")))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range []string{partFile, mineFile, mendFile} {
			Check(name, text)
			Given(name, text, text, text)
		}
	})
}
