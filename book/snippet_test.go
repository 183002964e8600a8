package book

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestProblemsOfSnippets(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "which code? write ::: snippet FILE.go#NAME"},
		{"code/none.go", "there is no file code/none.go"},
		{"../x.go", `"../x.go" is not a path from the root of the repository`},
		{"go.mod", "go.mod is not a Go file"},
		{"code/queue.go#Queue.Get", "code/queue.go: there is neither a declaration nor a region Queue.Get"},
		{"code/queue.go#Put", "code/queue.go: there is neither a declaration nor a region Put"},
		{"code/queue.go#fill body", "code/queue.go: there is no function fill"},
		{"code/queue.go#Small body", "code/queue.go: Small is not a function with a body"},
		{`code/queue.go#main from=zebra`, `code/queue.go#main: no line contains from="zebra"`},
		{`code/queue.go#main from="for" to=zebra`, `code/queue.go#main: no line after from="for" contains to="zebra"`},
		{`code/queue.go#main to=zebra`, `code/queue.go#main: no line after from="" contains to="zebra"`},
	} {
		got := problemsOf(t, "# A\n\n::: snippet "+test.args+"\n:::\n")
		assert.Equal(t, "index.md:3: ::: snippet: "+test.want, got)
	}
}

func TestSnippets(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"code/queue.go#Queue.Len", "// Len has no star.\nfunc (q Queue[T]) Len() int { return len(q.items) }"},
		{"code/queue.go#Queue.Len doc=no", "func (q Queue[T]) Len() int { return len(q.items) }"},
		{"code/queue.go#Queue", "// A Queue holds numbers, first in, first out.\ntype Queue[T any] struct {\n\titems []T\n}"},
		{"code/queue.go#Queue.Put body", "q.items = append(q.items, x)\n\nif len(q.items) > Large {\n\tpanic(\"full\")\n}"},
		{"code/queue.go#fill", "var q Queue[int]\nfor i := range 3 {\n\tq.Put(i)\n}"},
		{`code/queue.go#main from="for i" to="}"`, "for i := range 3 {\n\tq.Put(i)\n}"},
		{`code/queue.go#main from="{" to="}"`, "func main() {\n\tvar q Queue[int]\n\tfor i := range 3 {\n\t\tq.Put(i)\n\t}"},
		{`code/queue.go from="^func (q Queue[T])" to="^}"`, "func (q Queue[T]) Len() int { return len(q.items) }\n\nfunc main() {\n\tvar q Queue[int]\n\tfor i := range 3 {\n\t\tq.Put(i)\n\t}\n\tfmt.Println(\"length <\", q.Len()+1, \"args\", os.Args[1:])\n\tif len(os.Args) > 1 {\n\t\tfmt.Fprintln(os.Stderr, \"fails\")\n\t\tos.Exit(3)\n\t}\n}"},
		{`code/queue.go#Queue.Put doc=no to="append"`, "func (q *Queue[T]) Put(x T) {\n\tq.items = append(q.items, x)"},
	} {
		got := htmlOf(t, "# A\n\n::: snippet "+test.args+"\n:::\n")
		_, code, _ := strings.Cut(got, `<pre class="source" data-copy><code>`)
		code, _, _ = strings.Cut(code, "</code>")
		assert.Equal(t, test.want, plain(code), test.args)
	}
	whole := htmlOf(t, "# A\n\n::: snippet code/queue.go\n:::\n")
	assert.NotContains(t, whole, "#region")
	assert.NotContains(t, whole, "course:")
	assert.Contains(t, plain(whole), "os.Exit(3)")
}

// The title stands in place of the file's name: what is given in an exercise is shown as the
// student finds it, not as it stands in the solution.
func TestSnippetTitle(t *testing.T) {
	for args, want := range map[string]string{
		"code/queue.go#Queue.Len":                     "<code>code/queue.go</code> · <code>Queue.Len</code>",
		"code/queue.go#Queue.Len title=mine/queue.go": "<code>mine/queue.go</code> · <code>Queue.Len</code>",
	} {
		assert.Contains(t, htmlOf(t, "# A\n\n::: snippet "+args+"\n:::\n"), `<div class="head">`+want+"</div>", args)
	}
}

// What an exercise asks for is folded, whole or in part.
func TestSnippetOfExercise(t *testing.T) {
	for _, args := range []string{"code/queue.go#Queue.Put", "code/queue.go#Queue.Put body", `code/queue.go#Queue.Put doc=no from="append"`} {
		assert.Contains(t, htmlOf(t, "# A\n\n::: snippet "+args+"\n:::\n"), `<details class="solution">`, args)
	}
	for _, args := range []string{"code/queue.go#Queue.Len", "code/queue.go#fill"} {
		assert.NotContains(t, htmlOf(t, "# A\n\n::: snippet "+args+"\n:::\n"), "<details", args)
	}
}

// Code of more than thirty lines has a fold, which is open where there is room.
func TestLongSnippet(t *testing.T) {
	for args, want := range map[string]string{
		"code/queue.go":                             "42 lines of queue.go",
		"code/queue.go title=mine/other.go":         "42 lines of mine/other.go",
		`code/queue.go from="^type" to="os.Exit"`:   "31 lines of queue.go",
		`code/queue.go from="^type" to="os.Stderr"`: "",
	} {
		got := htmlOf(t, "# A\n\n::: snippet "+args+"\n:::\n")
		if want == "" {
			assert.NotContains(t, got, "<details", args)
		} else {
			assert.Contains(t, got, `<details class="long" open><summary>`+want+"</summary>", args)
		}
	}
}

// plain takes the mark-up off.
func plain(html string) string {
	var out strings.Builder
	for html != "" {
		before, rest, _ := strings.Cut(html, "<")
		out.WriteString(before)
		_, html, _ = strings.Cut(rest, ">")
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&amp;", "&").Replace(out.String())
}

func TestRegions(t *testing.T) {
	const source = "package p\n\n// #region a\nvar x = 1\n// #region b\nvar y = 2\n// #endregion\n// #region open\n"
	for name, want := range map[string]string{
		"a":    "the region a has another one inside, in line 5",
		"open": "the region open does not end: // #endregion is missing",
		"c":    "there is neither a declaration nor a region c",
	} {
		_, _, err := cut(source, name, true, false)
		assert.EqualError(t, err, want)
	}
	got, _, err := cut(source, "b", true, false)
	assert.NoError(t, err)
	assert.Equal(t, "var y = 2\n", got)

	_, _, err = cut("package", "x", true, false)
	assert.ErrorContains(t, err, "it is not Go")
}

// On a narrow screen a comment on lines of its own is a paragraph: the ends of its lines
// are marked, but for those that a reader must see. The text stays as it is.
func TestCommentsFlow(t *testing.T) {
	const text = "type Heap interface {\n\t// Add adds t, which is\n\t// on no heap. If a < b:\n\t//\n\t//   - the first of a list\n\t//     goes on\n\t// And so\n\t// it ends.\n\tAdd(t *T) // not this\n\t//go:nosplit\n\t// A line.\n}\n// Outside.\n"
	html := highlight("go", text)
	assert.Equal(t, text, plain(html))
	joins := regexp.MustCompile(`(\S+)<span class="eol"><span>\s*// </span></span>(\S+)`).FindAllStringSubmatch(html, -1)
	var ends []string
	for _, join := range joins {
		ends = append(ends, join[1]+" "+join[2])
	}
	assert.Equal(t, []string{"is on", "so it"}, ends)
	assert.Equal(t, 3, strings.Count(html, "c-comment prose"))
	assert.Contains(t, html, "\t"+`<span class="c-comment prose" style="--tabs: 1">// Add`)
	assert.Contains(t, html, `<span class="c-comment">// not this</span>`)
}

func TestHighlightKeepsTheText(t *testing.T) {
	const text = "func f(x int) string {\n\treturn \"a<b\" // & so\n}"
	assert.Equal(t, text, plain(strings.TrimSuffix(highlight("go", text), "\n")))
	assert.Contains(t, highlight("go", text), `<span class="c-keyword">func</span>`)
	assert.Contains(t, highlight("", "a<b"), "<code>a&lt;b</code>")
	assert.Contains(t, highlight("sh", "go test x # y"), `<code>go test x <span class="c-comment"># y</span>`)
	assert.Contains(t, highlight("no-such-language", "a<b"), "<code>a&lt;b</code>")
}
