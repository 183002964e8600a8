//go:build !amd64 || race

package machine

// plainRelease reports whether a plain store releases what was stored before it. The
// race detector would take it for a race.
const plainRelease = false
