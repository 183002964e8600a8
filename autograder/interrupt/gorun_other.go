//go:build !linux

package interrupt

func underGoRun() bool { return false }

func awaitParent() {}
