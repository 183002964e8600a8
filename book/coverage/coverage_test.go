package coverage

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"

	"gosched/chapters"
	"gosched/chapters/check"
)

// TestMechanisms: each mechanism has a place, and each place exists.
func TestMechanisms(t *testing.T) {
	course := Course{Files: os.DirFS("../.."), Chapters: chapters.All}
	assert.Len(t, Mechanisms, 79)
	for i, m := range Mechanisms {
		assert.Equal(t, i+1, m.Number)
		assert.LessOrEqual(t, len([]rune(m.Subject)), 46, "%d: a line of 80 columns has no room for the subject", m.Number)
		for _, problem := range course.Check(m) {
			t.Error(problem)
		}
	}
}

// TestCheck: each kind of place that does not exist is found, and so is a mechanism
// without any.
func TestCheck(t *testing.T) {
	course := Course{
		Files: fstest.MapFS{
			"book/en/07_runq.md":          {Data: []byte("# The run queue\n\n## Who runs next {#runnext}\n\nSee {#ring}.\n")},
			"chapters/ch07_runq/order.go": {},
		},
		Chapters: []chapters.Chapter{
			{ID: "ch07", Dir: "ch07_runq", Suite: &check.Suite{Checks: []check.Check{{Name: "put-next", Methods: []string{"Runqput"}}}}},
			{ID: "ch08", Dir: "ch08_loop"},
		},
	}
	whole := Mechanism{
		Number: 3, Methods: []string{"RunQueue.Runqput"}, Checks: []string{"ch07/put-next"},
		Sections: []string{"07_runq#runnext"}, Programs: []string{"chapters/ch07_runq/order.go"},
	}
	for _, c := range []struct {
		what   string
		change func(m *Mechanism)
		want   []string
	}{
		{"all is there", func(m *Mechanism) {}, nil},
		{"a page to come", func(m *Mechanism) { m.Sections = []string{"08_loop#tick"} }, nil},
		{"a part to come", func(m *Mechanism) {
			*m = Mechanism{Number: 3, Methods: []string{"Loop.Schedule"}, Checks: []string{"ch07/loops"}, Sections: []string{"07_runq#loop"}, Coming: "ch07"}
		}, nil},
		{"a part to come elsewhere", func(m *Mechanism) { m.Checks, m.Coming = []string{"ch07/loops"}, "ch08" }, []string{"mechanism 3: there is no check ch07/loops"}},
		{"no method", func(m *Mechanism) { m.Methods = append(m.Methods, "RunQueue.Put") }, []string{"mechanism 3: the contracts have no method RunQueue.Put"}},
		{"of another part", func(m *Mechanism) { m.Methods = append(m.Methods, "Loop.Runqput") }, []string{"mechanism 3: the contracts have no method Loop.Runqput"}},
		{"no part", func(m *Mechanism) { m.Methods = append(m.Methods, "Runqput") }, []string{"mechanism 3: the contracts have no method Runqput"}},
		{"no check", func(m *Mechanism) { m.Checks = append(m.Checks, "ch08/put-next") }, []string{"mechanism 3: there is no check ch08/put-next"}},
		{"a check of something else", func(m *Mechanism) { m.Methods = []string{"RunQueue.Runqget"} }, []string{"mechanism 3: none of its checks grades one of its methods"}},
		{"no section", func(m *Mechanism) { m.Sections = []string{"07_runq#ring"} }, []string{"mechanism 3: the page 07_runq has no section {#ring}"}},
		{"a page as a whole", func(m *Mechanism) { m.Sections = []string{"07_runq"} }, []string{"mechanism 3: the page 07_runq has no section {#}"}},
		{"no page", func(m *Mechanism) { m.Sections = []string{"09_steal#half"} }, []string{"mechanism 3: the book has no page 09_steal"}},
		{"no program", func(m *Mechanism) { m.Programs = []string{"order.go"} }, []string{"mechanism 3: there is no program order.go"}},
		{"not explained", func(m *Mechanism) { m.Sections = nil }, []string{"mechanism 3: no section of the book explains it"}},
		{"not seen", func(m *Mechanism) { m.Checks, m.Programs = nil, nil }, []string{"mechanism 3: neither a check nor a program shows it"}},
		{"has come", func(m *Mechanism) {
			m.Checks, m.Sections, m.Coming = append(m.Checks, "ch07/loops"), append(m.Sections, "07_runq#loop"), "ch07"
		}, []string{"mechanism 3: there is no check ch07/loops", "mechanism 3: the page 07_runq has no section {#loop}"}},
	} {
		m := whole
		c.change(&m)
		assert.Equal(t, c.want, course.Check(m), c.what)
	}
}

func TestChapter(t *testing.T) {
	for place, want := range map[string]string{"ch07/put-next": "7", "16_netpoll#break": "16", "versions#figures": "", "machine#run": ""} {
		assert.Equal(t, want, Chapter(place), place)
	}
}
