package compile

import (
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gosched/chapters/machine"
)

// The collector knows how many arguments a call into the runtime has: as many as its
// declaration says, in slots.
func TestTrapArgs(t *testing.T) {
	for name, in := range intrinsics {
		if in.op != machine.TRAP {
			continue
		}
		dot := strings.LastIndex(name, ".")
		fn := std().load(name[:dot]).pkg.Scope().Lookup(name[dot+1:])
		require.NotNil(t, fn, name)
		slots := 0
		for param := range fn.Type().(*types.Signature).Params().Variables() {
			slots += slotsOf(param.Type())
		}
		assert.Equal(t, slots, machine.Trap(in.num).Args(), "%s is a call with trap %v", name, machine.Trap(in.num))
	}
}
