package explore_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"gosched/chapters/check/golden"
	. "gosched/chapters/machine/explore"
)

// Right models are never accused, and explored to their end; wrong ones are
// found out, and the report is one that is worth reading.
func TestSamples(t *testing.T) {
	reports := golden.Open(t, "testdata/failures.golden")
	defer reports.Close(t)
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			r := Explore(s.opt, s.model)
			if s.kind == "" {
				if r.Failure != nil {
					t.Fatal(r.Failure)
				}
				assert.True(t, r.Exhaustive, "%v", r)
				return
			}
			if r.Failure == nil {
				t.Fatalf("nothing was found: %v", r)
			}
			assert.Equal(t, s.kind, r.Failure.Kind)
			reports.Compare(t, s.name, fmt.Sprintf("%v\n%v", r, r.Failure))

			again := Explore(s.opt, s.model)
			again.Failure.Panic, r.Failure.Panic = nil, nil
			assert.Equal(t, r, again, "the same model gives the same result")

			replayed := Explore(Options{Replay: r.Failure.Replay}, s.model)
			assert.Equal(t, 1, replayed.Executions)
			if assert.NotNil(t, replayed.Failure) {
				assert.Equal(t, r.Failure.Message, replayed.Failure.Message)
				assert.Equal(t, r.Failure.Steps, replayed.Failure.Steps, "a replay shows the same schedule")
			}
		})
	}
}
