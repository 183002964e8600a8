package book

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSearchIndex(t *testing.T) {
	site, err := Render(withPages(t, map[string]string{"index.md": "# Über\n\nIntro \\</script>.\n\n" +
		"## One & two\n\nA `code`\n\"line's\" {{go 1.14}} {{goroot runtime/proc.go#slice = 10000000 as 10 ms}}.\n\n| a | b |\n|--|--|\n| c | d |\n\n" +
		"::: wrong \"The claim\"\nThe truth\n:::\n\n## 调度\n\n调度\n器。\n"}))
	require.NoError(t, err)
	text := string(site["search.js"])
	assert.NotContains(t, text, "</script>", "the index could end the script it stands in")
	text = strings.TrimSuffix(strings.TrimPrefix(text, "window.goschedSearch="), ";\n")
	var got []section
	require.NoError(t, json.Unmarshal([]byte(text), &got))
	want := []section{
		{"Über", "", "index.html", "Intro </script>. "},
		{"Über", "One & two", "index.html#one-two", "A code “line’s” Go 1.14 10 ms. a b c d The claim The truth "},
		{"Über", "调度", "index.html#调度", "调度器。 "},
	}
	if diff := cmp.Diff(want, got[:3]); diff != "" {
		t.Error(diff)
	}
}
