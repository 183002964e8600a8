package machine

// GCRate is how many bytes the collector scans in a nanosecond of simulated time: about what Go's
// does on one CPU of today.
const GCRate = 1

// GCScanned lets the time pass that the calling thread takes to scan n bytes, on a simulated CPU.
// Elsewhere time passes by itself.
func GCScanned(n int64) {
	if costs != nil {
		costs.Passed(n / GCRate)
	}
}
