package submission

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"runtime"
	"slices"
	"time"

	"gosched/autograder/jail"
	"gosched/autograder/policy"
	"gosched/autograder/policy/exports"
)

// What names mean is worked out as a compiler does it. With a few lines of hostile code that can
// take all time and memory, so it is done in a process with limits.
const (
	inspectCPU    = 20 * time.Second
	inspectMemory = 1 << 30
	inspectTime   = 5 * time.Minute // on systems that limit no CPU; on Linux only a computer that is too busy needs it
)

// asInspector is the argument of a program that is started to inspect packages.
const asInspector = "inspect-names"

// inspects says that main of this program has called Inspect, so that a process can be made of it.
var inspects bool

// An inspection is what such a process is told, as JSON on its standard input. It answers with the
// findings.
type inspection struct {
	Exports  map[string]string   // see exports.Files
	Packages []map[string][]byte // the files of each, by name
}

func (i inspection) findings() []policy.Finding {
	known := policy.NewPackages(exports.Importer(i.Exports))
	var findings []policy.Finding
	for _, files := range i.Packages {
		findings = append(findings, known.Names(files)...)
	}
	return findings
}

// Inspect is to be called by main, after jail.Launch. If the program was started to inspect
// packages, it does so and does not return. Without it, packages are inspected where they are
// read, without limits: as it is enough for one's own code, and for tests.
func Inspect() {
	if len(os.Args) != 2 || os.Args[1] != asInspector {
		inspects = true
		return
	}
	var i inspection
	err := json.NewDecoder(os.Stdin).Decode(&i)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(i.findings())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// inspect asks what the names in the student's packages mean. Those that are as they are given
// are known to be right.
func (t *taking) inspect(ctx context.Context) error {
	packages := t.packages()
	if len(packages) == 0 {
		return nil
	}
	imports := slices.Clone(policy.Always)
	for _, files := range packages {
		for name, text := range files {
			imports = append(imports, policy.Imports(name, text)...)
		}
	}
	files, err := t.exports(ctx, imports)
	if err != nil {
		return err
	}
	if !inspects {
		t.findings = append(t.findings, inspection{files, packages}.findings()...)
		return nil
	}
	if done, err := t.inspectApart(ctx, inspection{files, packages}); done || err != nil {
		return err
	}
	for _, one := range packages { // one of them takes too much: which?
		done, err := t.inspectApart(ctx, inspection{files, []map[string][]byte{one}})
		if err != nil {
			return err
		}
		if !done {
			t.tooMuch(one)
		}
	}
	return nil
}

// exports are the files with what packages export. The go command is asked for each package once.
func (c *Course) exports(ctx context.Context, paths []string) (map[string]string, error) {
	c.asking.Lock()
	defer c.asking.Unlock()
	unknown := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return c.exported[p] != "" })
	slices.Sort(unknown)
	files, err := exports.Files(ctx, c.root, c.Env, slices.Compact(unknown))
	if err != nil {
		return nil, err
	}
	if c.exported == nil {
		c.exported = map[string]string{}
	}
	maps.Copy(c.exported, files)
	return maps.Clone(c.exported), nil
}

// inspectApart inspects packages in a process of their own, and reports whether that was done
// within its limits.
func (t *taking) inspectApart(ctx context.Context, i inspection) (done bool, err error) {
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	told, err := json.Marshal(i)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, inspectTime)
	defer cancel()
	var out bytes.Buffer
	end, err := jail.Child{
		Path: self, Args: []string{asInspector}, Input: bytes.NewReader(told), Output: &out,
		Limits: jail.Limits{Memory: inspectMemory, CPU: inspectCPU},
	}.Run(ctx)
	if err == nil && ctx.Err() != nil && runtime.GOOS == "linux" {
		err = fmt.Errorf("what looks through the names of a submission did not come to its end, nor to its %v of CPU, within %v", inspectCPU, inspectTime)
	}
	if err != nil || !end.OK() {
		return false, err
	}
	var findings []policy.Finding
	if err := json.Unmarshal(out.Bytes(), &findings); err != nil {
		return false, fmt.Errorf("what looks through the names of a submission did not answer: %w", err)
	}
	t.findings = append(t.findings, findings...)
	return true, nil
}

// packages are those of the student's that are not as they are given: of each chapter its parts,
// and what is beside them.
func (t *taking) packages() []map[string][]byte {
	by := map[string]map[string][]byte{}
	theirs := map[string]bool{}
	for name, text := range t.taken {
		key := fmt.Sprint(path.Dir(name), policy.Written(name))
		if by[key] == nil {
			by[key] = map[string][]byte{}
		}
		by[key][name] = text
		theirs[key] = theirs[key] || !bytes.Equal(text, t.given[name])
	}
	var packages []map[string][]byte
	for _, key := range slices.Sorted(maps.Keys(by)) {
		if theirs[key] {
			packages = append(packages, by[key])
		}
	}
	return packages
}

// tooMuch refuses a package that cannot be inspected.
func (t *taking) tooMuch(files map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if bytes.Equal(files[name], t.given[name]) {
			continue
		}
		t.refuse(name, fmt.Sprintf("to work out what its names mean takes more than %d s of CPU, or %d MiB of memory", int(inspectCPU.Seconds()), inspectMemory>>20),
			"write it with simpler types and constants")
		if !policy.Written(name) {
			return // all parts of the chapter are refused with the first
		}
	}
}
