package grade

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNamed: what is said of a file of an overlay is said of the file that it stands for.
func TestNamed(t *testing.T) {
	root := filepath.Join(string(filepath.Separator)+"tmp", "course")
	file := filepath.Join(string(filepath.Separator)+"tmp", "ann", "one.go")
	o := Overlay{"exercises/ch01_one/one.go": file, "exercises/ch01_one/two.go": ""}
	short := filepath.Join("..", "ann", "one.go")
	assert.Equal(t, "exercises/ch01_one/one.go:7:1: no\nexercises/ch01_one/one.go:8:1: no\nother/one.go:9:1: no",
		string(o.named(root, []byte(short+":7:1: no\n"+file+":8:1: no\nother/one.go:9:1: no"))))
}
