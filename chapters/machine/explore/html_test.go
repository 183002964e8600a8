package explore_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "gosched/chapters/machine/explore"
)

// Set GOSCHED_PAGES to a folder to look at the pages.
func TestHTML(t *testing.T) {
	for _, s := range samples {
		if s.kind == "" {
			continue
		}
		f := Explore(s.opt, s.model).Failure
		require.NotNil(t, f)
		var b bytes.Buffer
		require.NoError(t, f.WriteHTML(&b, s.name))
		if dir := os.Getenv("GOSCHED_PAGES"); dir != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, s.name+".html"), b.Bytes(), 0o644))
		}
		data := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindSubmatch(b.Bytes())
		require.NotNil(t, data, s.name)
		var page struct {
			Objects []struct{ Name, Value string }
			Steps   []struct {
				O int
				V string
				W bool
			}
		}
		require.NoError(t, json.Unmarshal(data[1], &page))
		assert.Len(t, page.Steps, min(len(f.Steps), 2000), s.name)
		now := map[int]string{}
		for i, o := range page.Objects {
			assert.NotEmpty(t, o.Name)
			now[i] = o.Value
		}
		for i, step := range page.Steps {
			if step.O < 0 {
				continue
			}
			assert.Equal(t, f.Steps[i].Old, now[step.O], "%s: the page shows what step %d finds", s.name, i+1)
			now[step.O] = step.V
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestHTMLEscapes(t *testing.T) {
	f := Failure{Kind: Violation, Message: "</script><b>", Replay: "1:"}
	var b bytes.Buffer
	require.NoError(t, f.WriteHTML(&b, "<title>"))
	assert.NotContains(t, b.String(), "<b>")
	assert.NotContains(t, b.String(), "<title><title>")
	assert.ErrorContains(t, f.WriteHTML(brokenWriter{}, ""), "write the page of a failure: full")
}
