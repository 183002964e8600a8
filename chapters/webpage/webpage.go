// Package webpage writes pages that stand alone: one file, which needs no network and no
// other file, in light and in dark colours.
package webpage

import (
	"fmt"
	"html"
	"io"
)

// A Page is what differs from page to page. Only Title is text; the rest is written as it is.
type Page struct {
	Title  string
	Style  string // CSS
	Class  string // of the body, "" for none
	Body   string // HTML
	Script string // JavaScript that runs behind the body
}

// Write writes the page. The error is that of w.
func (p Page) Write(w io.Writer) error {
	class := ""
	if p.Class != "" {
		class = fmt.Sprintf(` class="%s"`, p.Class)
	}
	_, err := fmt.Fprintf(w, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>
%s</style>
</head>
<body%s>
%s
<script>
%s</script>
</body>
</html>
`, html.EscapeString(p.Title), p.Style, class, p.Body, p.Script)
	return err
}
