// Package exports finds what compiled packages export, so that package go/types can say what the
// names mean in code that imports them, without reading their sources.
package exports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"

	"gosched/chapters/gotool"
)

// Files returns the files with what these packages export, by import path, for the module in
// the folder root. They lie in the cache of the go command, which compiles them first where it
// has to. env is its environment, nil for that of this process.
func Files(ctx context.Context, root string, env, paths []string) (map[string]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	cmd := gotool.Command(ctx, append([]string{"list", "-export", "-f", "{{.ImportPath}}\t{{.Export}}", "--"}, paths...)...)
	cmd.Dir, cmd.Env = root, env
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("the packages that students import do not compile: %s", bytes.TrimSpace(exit.Stderr))
	}
	if err != nil {
		return nil, fmt.Errorf("cannot run the go command, which the course needs: %w", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			files[path] = file
		}
	}
	return files, nil
}

// Importer imports the packages whose exports are in these files, and no others.
func Importer(files map[string]string) types.Importer {
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		file, ok := files[path]
		if !ok {
			return nil, fmt.Errorf("package %q is not one that a student may import", path)
		}
		return os.Open(file)
	})
}
