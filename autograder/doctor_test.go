package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/autograder/grade"
)

// fakeGo answers go env from a table; what is not in it fails.
func fakeGo(answers map[string]string) goCommand {
	return func(_ context.Context, args ...string) (string, error) {
		if out, ok := answers[strings.Join(args[1:], " ")]; ok {
			return out, nil
		}
		return "", errors.New("exit status 1")
	}
}

func TestDoctor(t *testing.T) {
	a := withSolution(t)
	a.write(t, "go.mod", "module gosched\n\ngo 1.26.0\n")
	a.write(t, "goroot/src/runtime/proc.go", "package runtime\n")
	a.write(t, "file", "not a folder")
	self, err := os.Executable()
	require.NoError(t, err)
	goroot, file := a.path("goroot"), a.path("file")
	examine := func(change map[string]string) []finding {
		answers := map[string]string{"GOVERSION": "go1.26.8", "GOROOT": goroot, "GOCACHE": a.path("cache"), "CGO_ENABLED CC": "1\n" + self + " -m64"}
		for k, v := range change {
			if answers[k] = v; v == "fails" {
				delete(answers, k)
			}
		}
		return a.examine(context.Background(), fakeGo(answers))
	}
	findings := examine(nil)
	require.Len(t, findings, 7)
	for _, f := range findings {
		assert.Equal(t, well, f.verdict, "%v", f)
	}
	a.out.Reset()
	assert.NoError(t, a.showFindings(findings))
	assert.Equal(t, 7, strings.Count(a.out.String(), "\n"), "one line a finding")
	left, err := filepath.Glob(a.path("cache", "*"))
	require.NoError(t, err)
	assert.Empty(t, left, "the trial file is gone")

	for _, tt := range []struct {
		key, value string
		thing      string
		verdict    verdict
		want       string
	}{
		{"GOVERSION", "fails", "Go", missing, "Install Go 1.26.0 or later"},
		{"GOVERSION", "go1.25.3", "Go", missing, "go1.25.3 is too old for go.mod, which asks for go1.26.0"},
		{"GOROOT", file, "Go's sources", wanting, "The book shows pieces"},
		{"GOCACHE", "off", "build cache", missing, "Set GOCACHE"},
		{"GOCACHE", file, "build cache", missing, "or set GOCACHE"},
		{"CGO_ENABLED CC", "1\nno-such-compiler", "C compiler", wanting, "no-such-compiler is not there"},
		{"CGO_ENABLED CC", "0\n" + self, "C compiler", wanting, "Set CGO_ENABLED=1"},
	} {
		t.Run(tt.key+" "+filepath.Base(tt.value), func(t *testing.T) {
			var bad []finding
			for _, f := range examine(map[string]string{tt.key: tt.value}) {
				if f.verdict != well {
					bad = append(bad, f)
				}
			}
			require.Len(t, bad, 1)
			assert.Equal(t, tt.thing, bad[0].thing)
			assert.Equal(t, tt.verdict, bad[0].verdict)
			assert.Contains(t, bad[0].text, tt.want)
			err := a.showFindings(bad)
			if tt.verdict == wanting {
				assert.NoError(t, err, "the course works without it")
				return
			}
			e, ok := errors.AsType[exit](err)
			assert.True(t, ok && e.status == exitUsage, "%v", err)
		})
	}

	require.NoError(t, os.Remove(a.path(filepath.FromSlash(freeFile))))
	of := func(thing string) finding {
		list := examine(nil)
		i := slices.IndexFunc(list, func(f finding) bool { return f.thing == thing })
		require.GreaterOrEqual(t, i, 0, "nothing is said of %s", thing)
		return list[i]
	}
	files := of(grade.Exercises)
	assert.Equal(t, missing, files.verdict)
	assert.Contains(t, files.text, "files missing: 1 (ch01_goroutine/free.go). Run go run ./autograder gen")
	require.NoError(t, os.RemoveAll(a.path(local)))
	a.write(t, local, "a file is in the way")
	assert.Equal(t, missing, of(local).verdict)
}
