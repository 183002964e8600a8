//go:build !unix

package submission

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
