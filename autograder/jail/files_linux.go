package jail

import (
	"fmt"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	rights "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

const (
	mayRead  landlock.AccessFSSet = rights.AccessFSReadFile
	mayList  landlock.AccessFSSet = rights.AccessFSReadDir
	mayExec  landlock.AccessFSSet = rights.AccessFSExecute
	mayWrite landlock.AccessFSSet = rights.AccessFSWriteFile
	mayMake  landlock.AccessFSSet = rights.AccessFSMakeReg | rights.AccessFSMakeDir | rights.AccessFSMakeSym |
		rights.AccessFSMakeFifo | rights.AccessFSRemoveFile | rights.AccessFSRemoveDir
)

// landlockGaps says what Landlock does not do on kernels before a version of its interface. What
// the seccomp filter does in any case is not listed.
var landlockGaps = []struct {
	before int
	what   string
}{
	{3, "a file that it may read can be truncated, if the user may write to it (Landlock 3, Linux 6.2)"},
}

// landlockVersion is that of the kernel's interface; 0 if there is none.
func landlockVersion() int {
	v, err := rights.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return v
}

// restrictFiles leaves this process only the files that its order names.
func restrictFiles(o order) error {
	version := landlockVersion()
	if version == 0 {
		return fmt.Errorf("the kernel has no Landlock")
	}
	truncate := landlock.AccessFSSet(0)
	if version >= 3 {
		truncate = rights.AccessFSTruncate
	}
	var rules []landlock.Rule
	allow := func(name string, file, folder landlock.AccessFSSet) error {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if info.IsDir() {
			file |= folder
		}
		rules = append(rules, landlock.PathAccess(file, name))
		return nil
	}
	err := allow(o.Path, mayRead|mayExec, 0)
	if err == nil {
		err = allow(o.Temp, mayRead|mayWrite|truncate, mayList|mayMake)
	}
	if err == nil {
		err = allow(os.DevNull, mayRead|mayWrite, 0)
	}
	for _, name := range o.Limits.Read {
		if err == nil {
			err = allow(name, mayRead, mayList)
		}
	}
	for _, name := range o.Limits.Write {
		if err == nil {
			err = allow(name, mayRead|mayWrite|truncate, mayList|mayMake)
		}
	}
	for _, name := range o.Limits.Programs {
		if err == nil {
			err = allow(name, mayRead|mayExec, mayList)
		}
	}
	if o.Dynamic {
		for _, name := range libraries() {
			if err == nil {
				err = allow(name, mayRead|mayExec, mayList)
			}
		}
		if err == nil { // the race detector looks at its own memory map
			err = allow(fmt.Sprintf("/proc/%d", os.Getpid()), mayRead, mayList)
		}
	}
	if err != nil {
		return err
	}
	return landlock.V11.BestEffort().Restrict(rules...) // with the network and the scopes, where there are rules for them
}
