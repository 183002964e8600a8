package explore_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "gosched/chapters/machine/explore"
	"gosched/chapters/webpage"
)

//go:embed testdata/stepper.js
var stepperScript string

// browse opens a page in a browser without a window and returns what the script of the page
// has left in the element #seen. Time in the page is virtual: it passes when nothing is to
// be done. Without a browser the test is skipped.
func browse(t *testing.T, page, fragment string, seen any) {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes some seconds")
	}
	browser := webpage.Browser()
	if browser == "" {
		t.Skip("no Chromium is installed, so the steppers are not opened in a browser")
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	defer server.Close()
	profile, err := os.MkdirTemp("", "gosched-stepper")
	require.NoError(t, err)
	defer os.RemoveAll(profile) // the browser may still write there: then something is left
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+profile,
		"--window-size=1280,800", "--virtual-time-budget=20000", "--dump-dom", server.URL+fragment).Output()
	require.NoError(t, err)
	left := regexp.MustCompile(`(?s)<pre id="seen">(.*?)</pre>`).FindSubmatch(out)
	require.NotNil(t, left, "the script did not come to its end:\n%s", out[max(0, len(out)-2000):])
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(string(left[1]))), seen))
}

// sampleNamed is the failure of a sample.
func sampleNamed(t *testing.T, name string) *Failure {
	t.Helper()
	for _, s := range samples {
		if s.name == name {
			return Explore(s.opt, s.model).Failure
		}
	}
	require.FailNow(t, "no sample "+name)
	return nil
}

// Two steppers on a page, one of them as narrow as on a phone, do not know of each other, and
// leave the page where it is.
func TestSteppersOfAPage(t *testing.T) {
	body := ""
	for i, width := range []string{"900px", "340px"} {
		story := sampleNamed(t, "ring-slots-after-swap").Story(fmt.Sprint("ring ", i+1))
		for range 30 * i {
			story.Message = append(story.Message, "and so on")
		}
		fragment, err := story.Fragment(FragmentOptions{ID: fmt.Sprint("ring-", i+1), Words: English})
		require.NoError(t, err)
		body += `<div style="width:` + width + `">` + fragment + `</div><div style="height:300vh"></div>`
	}
	var seen struct {
		Errors                          []string
		Forms                           []string
		BuiltBeforeAsked, BuiltForPaper int
		Steps, AtEnd                    []string
		LastInSight, Sideways           bool
		Current, Addresses              int
		PageMoved, Tall                 float64
		Verdict, Other, Outside, Slider string
		Button, Live                    string
		Tags                            []bool
		Names, IDs                      []string
	}
	browse(t, "<!doctype html><style>"+Style()+"</style><body>"+body+"<script>"+Script()+"</script><script>"+stepperScript+"</script>", "", &seen)
	assert.Empty(t, seen.Errors)
	assert.Equal(t, []string{"true,false", "false,true"}, seen.Forms, "lanes, and rows of one column")
	assert.Zero(t, seen.BuiltBeforeAsked)
	assert.Zero(t, seen.BuiltForPaper)
	assert.Equal(t, []string{
		"ArrowRight: Line 1 of 26",
		"ArrowDown: Line 2 of 26, step 1",
		"ArrowLeft: Line 1 of 26",
		"s: Line 15 of 26, step 12",
		"End: Line 26 of 26",
		"ArrowRight: Line 26 of 26",
		"ArrowUp: Line 25 of 26",
		"Home: Line 0 of 26",
		"ArrowLeft: Line 0 of 26",
	}, seen.Steps)
	assert.True(t, seen.LastInSight)
	assert.Equal(t, 1, seen.Current)
	assert.Equal(t, []string{"First false", "Back false", "Step true", "Next switch true", "Last true"}, seen.AtEnd)
	assert.Equal(t, "violated check: G1 is lost: owner put it, and it was never taken", seen.Verdict)
	assert.Zero(t, seen.PageMoved, "the page has scrolled")
	assert.Less(t, seen.Tall, 700.0, "the stepper does not fit on a phone")
	assert.Equal(t, "Line 0 of 26", seen.Other, "the other stepper has moved too")
	assert.Equal(t, "Line 26 of 26", seen.Outside, "a key outside of the stepper has moved it")
	assert.Equal(t, "Line 2 of 26, step 1", seen.Slider)
	assert.Equal(t, "Line 1 of 26", seen.Button)
	assert.Contains(t, seen.Live, "Line 1 of 26")
	assert.Equal(t, []bool{false, true}, seen.Tags, "a row says its thread where there are no lanes")
	assert.Equal(t, []string{"Stepper: ring 1", "Stepper: ring 2"}, seen.Names)
	assert.Empty(t, seen.IDs, "ids that are there twice")
	assert.False(t, seen.Sideways)
	assert.Zero(t, seen.Addresses, "the page's address has been set")
}

// On a page about failures the steppers are open, each at its step in the address, which has
// other things, too; the first one has the keys always, and keeps its step in the address.
func TestSteppersOfFailurePage(t *testing.T) {
	none, err := (&Failure{Kind: Violation, Message: "too many threads"}).Story("none").Fragment(FragmentOptions{ID: "none", Words: English})
	require.NoError(t, err)
	body := none
	for _, id := range []string{"first", "second"} {
		fragment, err := sampleNamed(t, "ring-slots-after-swap").Story(id).Fragment(FragmentOptions{ID: id, Words: English})
		require.NoError(t, err)
		body += fragment
	}
	script := `(async () => {
const lines = () => [...document.querySelectorAll(".fail-say .fail-when")].map(e => e.textContent);
const shown = c => getComputedStyle(document.querySelector(c)).display !== "none";
const seen = {opens: lines(), listing: shown(".fail-lanes") || shown(".fail-rows"), stepper: shown(".fail-stepper")};
document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
seen.then = lines();
while (!location.hash.includes("=10")) await new Promise(r => setTimeout(r, 5));
seen.address = location.hash;
location.hash = "#second=3";
while (!lines()[1].startsWith("Line 3 ")) await new Promise(r => setTimeout(r, 5));
const out = document.createElement("pre");
out.id = "seen";
out.textContent = JSON.stringify(seen);
document.body.append(out);
})();`
	var seen struct {
		Opens, Then      []string
		Address          string
		Listing, Stepper bool
	}
	browse(t, "<!doctype html><style>"+Style()+"</style><body class=\"fail-page\">"+body+"<script>"+Script()+"</script><script>"+script+"</script>", "#run=2&first=9", &seen)
	assert.Equal(t, []string{"Line 9 of 26, step 7", "Line 0 of 26"}, seen.Opens)
	assert.Equal(t, []string{"Line 10 of 26, step 8", "Line 0 of 26"}, seen.Then)
	assert.Equal(t, "#run=2&first=10", seen.Address)
	assert.True(t, seen.Stepper)
	assert.False(t, seen.Listing, "the listing is for paper")
}
