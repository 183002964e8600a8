package mutation

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// EquivalentFile is the list of a chapter's mutations that change nothing on which anybody
// may rely, in its folder in solutions. Each is a line with the name of the mutation,
// followed by the reason in indented lines; empty lines and lines that begin with # are
// comments. Several names above one reason share it.
const EquivalentFile = "testdata/equivalent.txt"

// Equivalent reads the list of the chapter in folder dir ("ch03_park"): reasons by names.
// A chapter without a list has none.
func Equivalent(root, dir string) (map[string]string, error) {
	name := filepath.Join(root, "solutions", dir, filepath.FromSlash(EquivalentFile))
	text, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	reasons, err := parseEquivalent(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return reasons, nil
}

func parseEquivalent(text string) (map[string]string, error) {
	reasons := map[string]string{}
	var names []string // that wait for their reason
	explained := false
	for i, line := range strings.Split(text, "\n") {
		words := strings.TrimSpace(line)
		switch {
		case words == "" || strings.HasPrefix(line, "#"):
		case words != strings.TrimRight(line, " \t\r"):
			if len(names) == 0 {
				return nil, fmt.Errorf("line %d: a reason without a name", i+1)
			}
			for _, name := range names {
				reasons[name] = strings.TrimSpace(reasons[name] + " " + words)
			}
			explained = true
		default:
			if explained {
				names, explained = nil, false
			}
			if _, twice := reasons[words]; twice {
				return nil, fmt.Errorf("line %d: %q is there twice", i+1, words)
			}
			names = append(names, words)
			reasons[words] = ""
		}
	}
	for name, reason := range reasons {
		if reason == "" {
			return nil, fmt.Errorf("%q has no reason", name)
		}
	}
	return reasons, nil
}
