//go:build gosched

// Package sentinel gives the errors of package oserror the names that programs know. The
// compiler adds it to a program that uses one of those names.
package sentinel

import (
	"internal/oserror"
	"io"
	"os"
)

var _ = io.ReadAtLeast // it returns ErrShortBuffer

var _ = set()

func set() bool {
	io.ErrClosedPipe = oserror.ErrClosedPipe
	io.ErrNoProgress = oserror.ErrNoProgress
	io.ErrShortBuffer = oserror.ErrShortBuffer
	os.ErrDeadlineExceeded = oserror.ErrDeadlineExceeded
	return true
}
