//go:build !linux && !darwin

package content

import (
	"io/fs"
	"time"
)

func lastChange(fs.FileInfo) (changed time.Time, number string, ok bool) {
	return time.Time{}, "", false
}
