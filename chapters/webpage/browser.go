package webpage

import "os/exec"

// Browser returns the path of an installed Chromium or Chrome, or "" if there is none. Tests
// that open pages are skipped then.
func Browser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
