package chapters

import "embed"

// Source has the text of the suites, the contracts and the framework of checks, from which the
// command was built: what it knows of the course, which another course may have otherwise.
//
//go:embed *.go */*.go */task.md
var Source embed.FS
