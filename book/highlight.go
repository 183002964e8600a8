package book

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// highlight makes a block of code in that language, which may be unknown or
// empty. The colours of the classes are in book.css. Go and commands can be copied.
func highlight(language, text string) string {
	text = strings.TrimRight(text, "\n")
	copies := ""
	if language == "go" || language == "sh" {
		copies = " data-copy"
	}
	return `<pre class="source"` + copies + `><code>` + colour(language, text) + "</code></pre>\n"
}

// printout is what a program has printed.
func printout(text string) string {
	return `<pre class="source"><samp>` + esc(strings.TrimRight(text, "\n")) + "</samp></pre>"
}

// shortCode is how many bytes of code in a line are kept together.
const shortCode = 24

// codeSpan is code in a line of text.
func codeSpan(s string) string {
	if len(s) <= shortCode {
		return `<code class="short">` + esc(s) + "</code>"
	}
	return code(s)
}

// code is code that a line may break where a reader expects it: behind the slashes of a
// path and the dots of a selector.
func code(s string) string { return "<code>" + breakable(s) + "</code>" }

// breakable escapes s and, if it is long, marks where it may break.
func breakable(s string) string {
	if len(s) <= shortCode {
		return esc(s)
	}
	return marked(s)
}

var breaks = regexp.MustCompile(`(\w/)|(\w\.)([A-Z])`)

func marked(s string) string { return breaks.ReplaceAllString(esc(s), "$1$2<wbr>$3") }

// command is a command as it is typed. The mark of the shell before it is not copied. file,
// which stands in it, is a link.
func (b *builder) command(command, file string) string {
	html := strings.Replace(marked(command), marked(file), b.sourceLink(file, marked(file)), 1)
	return `<span class="prompt" aria-hidden="true">$ </span><code data-copy>` + html + "</code>"
}

func colour(language, text string) string {
	lexer := lexers.Get(language)
	if lexer == nil {
		return esc(text)
	}
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, text)
	if err != nil {
		return esc(text)
	}
	var out strings.Builder
	for t := tokens(); t != chroma.EOF; t = tokens() {
		if class := tokenClass(language, t.Type); class != "" {
			value, newline := strings.CutSuffix(t.Value, "\n")
			out.WriteString(`<span class="` + class + `">` + esc(value) + `</span>`)
			if newline {
				out.WriteByte('\n')
			}
		} else {
			out.WriteString(esc(t.Value))
		}
	}
	return flowing(out.String())
}

// commentLine is a line of coloured code that is nothing but a comment.
var commentLine = regexp.MustCompile(`^(\t*)<span class="c-comment">(//.*)</span>$`)

// flowing lets comments that stand on lines of their own be set as paragraphs where the
// screen is too narrow for their lines: a contract is to be read, not scrolled. Each
// becomes one element in which the ends of lines are marked, but for those that a reader
// must see: at an empty line, before a list, around what is indented.
func flowing(html string) string {
	lines := strings.Split(html, "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		first := commentLine.FindStringSubmatch(lines[i])
		if first == nil {
			out = append(out, lines[i])
			continue
		}
		tabs, text := first[1], first[2]
		for i+1 < len(lines) {
			next := commentLine.FindStringSubmatch(lines[i+1])
			if next == nil || next[1] != tabs {
				break
			}
			end := "\n" + tabs
			if runsOn(lastLine(text)) && runsOn(next[2]) {
				end = `<span class="eol"><span>` + "\n" + tabs + "// </span></span>"
				next[2] = strings.TrimPrefix(next[2], "// ")
			}
			text += end + next[2]
			i++
		}
		out = append(out, fmt.Sprintf(`%s<span class="c-comment prose" style="--tabs: %d">%s</span>`, tabs, len(tabs), text))
	}
	return strings.Join(out, "\n")
}

// lastLine is what stands behind the last end of a line of a comment, with its slashes.
func lastLine(text string) string {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return strings.TrimLeft(strings.Replace(line, "</span></span>", "", 1), "\t")
}

// runsOn reports whether a line of a comment is text of a paragraph.
func runsOn(line string) bool {
	text, ok := strings.CutPrefix(line, "// ")
	return ok && text != "" && text[0] != ' ' && text[0] != '\t' && text[0] != '-'
}

// tokenClass is the class of a token that has a colour of its own. Outside of Go
// only strings and comments have one: in a command the lexer's builtins are
// rather arguments.
func tokenClass(language string, t chroma.TokenType) string {
	switch {
	case t.InSubCategory(chroma.LiteralString):
		return "c-string"
	case t.InCategory(chroma.Comment):
		return "c-comment"
	case language != "go":
		return ""
	case t == chroma.KeywordType || t == chroma.NameClass || t == chroma.NameBuiltin:
		return "c-type"
	case t.InCategory(chroma.Keyword):
		return "c-keyword"
	case t == chroma.NameFunction:
		return "c-function"
	case t.InSubCategory(chroma.LiteralNumber):
		return "c-number"
	}
	return ""
}
