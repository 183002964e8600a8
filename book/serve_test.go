package book

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The server shows the pages, follows changes of their sources, and shows what
// is wrong in place of the book.
func TestServe(t *testing.T) {
	opt := withPages(t, map[string]string{"index.md": "# A\n\nfirst\n"})
	handler := Handler(opt)
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Code, w.Body.String()
	}
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(opt.Root, "book", "en", "index.md"), []byte(text), 0o666))
	}

	status, body := get("/")
	assert.Equal(t, 200, status)
	assert.Contains(t, body, "<p>first</p>")
	status, _ = get("/book.css")
	assert.Equal(t, 200, status)
	status, _ = get("/../index.md")
	assert.Equal(t, 404, status)

	write("# A\n\nsecond, longer\n")
	_, body = get("/index.html")
	assert.Contains(t, body, "<p>second, longer</p>")

	write("# A\n\n[x](<none>.md)\n")
	status, body = get("/")
	assert.Equal(t, 500, status)
	assert.Contains(t, body, "book/en/index.md:3")
}
