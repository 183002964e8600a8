package book

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine/explore"
)

func styleSheet(t *testing.T) string {
	t.Helper()
	text, err := assets.ReadFile("assets/book.css")
	require.NoError(t, err)
	return string(text)
}

// Which colours count is said by color-scheme alone, so that the reader's choice reaches
// all of a page: a query for the system's scheme would not know of it. And paper is white.
func TestColoursFollowTheChoice(t *testing.T) {
	site := addAssets(Site{}, languages["en"])
	for name, text := range site {
		if strings.HasSuffix(name, ".css") {
			assert.NotContains(t, string(text), "prefers-color-scheme", name)
		}
	}
	for _, name := range []string{"book.css", "timeline.css"} {
		assert.Contains(t, string(site[name]), "light-dark(")
	}
	screen, paper, ok := strings.Cut(styleSheet(t), "@media print")
	require.True(t, ok)
	assert.Contains(t, paper, ":root { color-scheme: light; }")
	for _, theme := range []string{"light", "dark"} {
		assert.Regexp(t, `@media screen \{[^@]*:root\[data-theme="`+theme+`"\] \{ color-scheme: `+theme+`; \}`, screen)
	}
}

// All text has a contrast of 4.5 or more, on the page and on boxes, in both
// schemes.
func TestContrast(t *testing.T) {
	both := regexp.MustCompile(`--(\w+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`).FindAllStringSubmatch(styleSheet(t), -1)
	for i := range 2 {
		colours := map[string]string{}
		for _, m := range both {
			colours[m[1]] = m[2+i]
		}
		require.Len(t, colours, 13)
		for name, colour := range colours {
			if name == "bg" || name == "soft" || name == "line" {
				continue
			}
			for _, under := range []string{"bg", "soft"} {
				assert.GreaterOrEqual(t, contrast(colour, colours[under]), 4.5, "scheme %d: %s on %s", i, name, under)
			}
		}
	}
	assert.InDelta(t, 21, contrast("#ffffff", "#000000"), 0.01)
}

// The edge of a block that hides more there is seen on the page and on boxes, in both schemes.
func TestEdgeIsSeen(t *testing.T) {
	values := map[string][]string{}
	for _, m := range regexp.MustCompile(`--(bg|soft|edge): light-dark\(#([0-9a-f]+), #([0-9a-f]+)\);`).FindAllStringSubmatch(styleSheet(t), -1) {
		values[m[1]] = m[2:]
	}
	require.Len(t, values, 3)
	for i := range 2 {
		edge := values["edge"][i]
		alpha, err := strconv.ParseUint(edge[6:], 16, 8)
		require.NoError(t, err)
		for _, under := range []string{"#" + values["bg"][i], "#" + values["soft"][i]} {
			assert.Greater(t, contrast(under, mixed("#"+edge[:6], under, float64(alpha)/255)), 1.5, "scheme %d on %s", i, under)
		}
	}
}

// The text inside a part of a stacked bar can be read on its colour, in both schemes.
func TestContrastInPlots(t *testing.T) {
	style, err := assets.ReadFile("assets/plot.css")
	require.NoError(t, err)
	series := regexp.MustCompile(`\.s\d \{ --series: var\(--(\w+)\); --weight: (\S+); \}`).FindAllStringSubmatch(string(style), -1)
	require.Len(t, series, 4)
	for scheme := range 2 {
		colour := func(name string) string {
			found := regexp.MustCompile(`--` + name + `: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`).FindStringSubmatch(styleSheet(t))
			require.NotNil(t, found, name)
			return found[1+scheme]
		}
		for _, s := range series {
			weight, err := strconv.ParseFloat(s[2], 64)
			require.NoError(t, err)
			for _, under := range []string{"bg", "soft"} {
				assert.GreaterOrEqual(t, contrast(colour("fg"), mixed(colour(s[1]), colour(under), weight)), 4.5, "scheme %d: %s on %s", scheme, s[1], under)
			}
		}
	}
}

// mixed is what is seen of two colours, the one over the other with that opacity.
func mixed(over, under string, alpha float64) string {
	s := "#"
	for i := 1; i < 7; i += 2 {
		a, _ := strconv.ParseUint(over[i:i+2], 16, 8)
		b, _ := strconv.ParseUint(under[i:i+2], 16, 8)
		s += fmt.Sprintf("%02x", int(math.Round(float64(a)*alpha+float64(b)*(1-alpha))))
	}
	return s
}

// contrast is the ratio of WCAG 2, from 1 to 21.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(colour string) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(fmt.Sprintf("%s is not a colour", colour))
		}
		c := float64(v) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// The page has all the variables from which a counterexample takes its colours and fonts.
func TestVariablesOfCounterexamples(t *testing.T) {
	own := regexp.MustCompile(`(--\w+):`)
	defined := own.FindAllString(explore.Style()+explore.Script(), -1)
	used := regexp.MustCompile(`var\((--\w+)\)`).FindAllStringSubmatch(explore.Style(), -1)
	require.NotEmpty(t, used)
	for _, m := range used {
		if !slices.Contains(defined, m[1]+":") {
			assert.Contains(t, styleSheet(t), "  "+m[1]+": ")
		}
	}
	assert.NotRegexp(t, `#[0-9a-f]{3,8}\b`, explore.Style(), "a colour that no theme can change")
}

// Every colour of code has a rule.
func TestTokenClassesHaveColours(t *testing.T) {
	html := highlight("go", "// c\nfunc f(x int) { return \"s\", 1 }\n")
	for _, m := range regexp.MustCompile(`class="(c-\w+)"`).FindAllStringSubmatch(html, -1) {
		assert.Contains(t, styleSheet(t), "."+m[1]+" {")
	}
	assert.Equal(t, 7, strings.Count(html, `class="c-`), html)
}
