// Package golden keeps texts that people read in files of the repository, so that
// a change of them is looked at like a change of code.
package golden

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// UpdateEnv names the environment variable that, set to 1, makes tests
// write the texts that they would otherwise compare.
const UpdateEnv = "GOSCHED_UPDATE"

// A File holds texts by name, such as the messages that known mistakes get.
type File struct {
	path   string
	update bool
	want   map[string]string
	order  []string
	got    map[string]string
}

const rule = "=== "

// Open reads the file, which must be there unless it is to be written.
func Open(t *testing.T, path string) *File {
	g := &File{path: path, update: os.Getenv(UpdateEnv) == "1", want: map[string]string{}, got: map[string]string{}}
	text, err := os.ReadFile(path)
	if err != nil && !g.update {
		t.Fatalf("%v; write it with %s=1", err, UpdateEnv)
	}
	for _, section := range strings.Split("\n"+string(text), "\n"+rule)[1:] {
		name, body, _ := strings.Cut(section, "\n")
		g.want[name] = strings.TrimRight(body, "\n")
	}
	return g
}

var lineNumbers = regexp.MustCompile(`\.go:\d+(-\d+)?`)

// codePlaces are addresses in a program's code and data, which change with the
// compiler.
var codePlaces = regexp.MustCompile(`\b(pc|Gopc|Startfn) (0x)?[0-9a-f]+`)

// Compare compares the text under name, but for line numbers and addresses of
// code.
func (g *File) Compare(t *testing.T, name, msg string) {
	msg = lineNumbers.ReplaceAllString(msg, ".go:N")
	msg = codePlaces.ReplaceAllString(msg, "$1 N")
	g.order = append(g.order, name)
	g.got[name] = msg
	if g.update {
		return
	}
	if diff := cmp.Diff(g.want[name], msg); diff != "" {
		t.Errorf("the message for %s is not the one in %s (-want +got); if the new one is better, write it with %s=1:\n%s", name, g.path, UpdateEnv, diff)
	}
}

// Close writes the file if that is asked for.
func (g *File) Close(t *testing.T) {
	if !g.update {
		return
	}
	var b strings.Builder
	for _, name := range g.order {
		b.WriteString(rule + name + "\n" + g.got[name] + "\n")
	}
	if err := os.MkdirAll(filepath.Dir(g.path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(g.path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
