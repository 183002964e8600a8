package timeline

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The script has a word for each that it shows, and shows each that it gets.
func TestScriptHasItsWords(t *testing.T) {
	var given []string
	for f := range reflect.TypeFor[Words]().Fields() {
		if name := f.Tag.Get("json"); name != "-" {
			given = append(given, name)
		}
	}
	var shown []string
	for _, m := range regexp.MustCompile(`words\.(\w+)|(find[A-Z]\w+): tagged`).FindAllStringSubmatch(script, -1) {
		shown = append(shown, m[1]+m[2])
	}
	assert.Subset(t, given, shown)
	assert.Subset(t, shown, given)
}

// English has every word, with the values that belong into it.
func TestEnglishIsWhole(t *testing.T) {
	w := reflect.ValueOf(English)
	for i := range w.NumField() {
		assert.NotEmpty(t, w.Field(i).String(), w.Type().Field(i).Name)
	}
}

// The words of the Options stand around a timeline, and those of English do not.
func TestOtherWords(t *testing.T) {
	other := English
	w := reflect.ValueOf(&other).Elem()
	for i := range w.NumField() {
		w.Field(i).SetString("⟨" + strings.Repeat("%", strings.Count(w.Field(i).String(), "%")) + "⟩")
	}
	f := mustFragment(t, oneOne(), Options{Words: other})
	assert.Contains(t, f, `aria-label="⟨workers.go⟩"`)
	assert.Contains(t, f, "⟨1.1⟩ · ⟨3⟩ · ⟨1⟩ · ⟨29⟩")
	both, err := Compare(twoRuns(), CompareOptions{Title: "both", Left: "0.x", Right: "1.1", Words: other})
	require.NoError(t, err)
	assert.Contains(t, both, `aria-label="⟨both⟩"`)
	assert.Contains(t, both, "⟨1.1⟩ · ⟨3⟩ · ⟨1⟩ · ⟨29⟩")
	for _, not := range []string{"Timeline:", "Comparison:", ">Program<", ">Output<", "parked: ", "seed", " steps"} {
		assert.NotContains(t, f+both, not)
	}
	assert.Contains(t, Script(other), `"now":"⟨⟩"`)
	assert.Contains(t, Script(Words{}), `"now":"Now"`, "no words are those of English")
}

func TestFill(t *testing.T) {
	assert.Equal(t, "2 of 100 %", fill("% of %", "2", "100 %"), "what is filled in is not filled again")
	assert.Equal(t, "no place", fill("no place"))
}
