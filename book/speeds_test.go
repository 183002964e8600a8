package book

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ratios = `{"schema": "gosched/bench-history/v1", "date": "2026-01-31", "go": "go1.26", "system": "linux/amd64", "cpu": "a CPU", "commit": "abc",
"programs": ["yield"], "versions": ["0.x", "1.0"],
"ratios": [{"program": "yield", "version": "0.x", "ratio": 0.4, "low": 0.375, "high": 0.5}, {"program": "yield", "version": "1.0", "ratio": 2, "low": 1, "high": 3}]}`

// The table is what was measured, and says where; without the file, or with another one, the
// build fails and says how it is made.
func TestSpeeds(t *testing.T) {
	const page = "# A\n\n::: speeds book/history.json\nSo it is.\n:::\n"
	const maker = "go run ./autograder bench --history"
	built := func(file string) (string, error) {
		site, err := Render(withPages(t, map[string]string{"index.md": page, "../history.json": file}))
		return string(site["index.html"]), err
	}
	got, err := built(ratios)
	require.NoError(t, err)
	assert.Contains(t, got, `<tr><th scope="row"><code>yield</code></th><td class="number">0.40<br><small>0.38–0.50</small></td><td class="number">2.00<br><small>1.00–3.00</small></td></tr>`)
	assert.Contains(t, got, `<p class="measured">Measured on 2026-01-31 at commit abc, with go1.26 on linux/amd64, a CPU.</p></figcaption></figure>`)
	assert.Contains(t, got, maker)
	assert.Contains(t, got, "So it is.")

	_, err = built("{}")
	assert.ErrorContains(t, err, `index.md:3: ::: speeds: book/history.json is not what `+maker+` writes: its schema is "" instead of "gosched/bench-history/v1"`)
	assert.Equal(t, "index.md:3: ::: speeds: there is no file book/history.json; "+maker+" writes book/history.json", problemsOf(t, page))
}
