package book

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// highlight makes a block of code in that language, which may be unknown or
// empty. The colours of the classes are in book.css.
func highlight(language, text string) string {
	return `<pre class="source" tabindex="0"><code>` + colour(language, strings.TrimRight(text, "\n")) + "</code></pre>\n"
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
			out.WriteString(`<span class="` + class + `">` + esc(t.Value) + `</span>`)
		} else {
			out.WriteString(esc(t.Value))
		}
	}
	return out.String()
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
