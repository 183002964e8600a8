//go:build !race

package machine

// plainRelease: this processor shows its stores to others in their order.
const plainRelease = true
