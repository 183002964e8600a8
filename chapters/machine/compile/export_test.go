package compile

import "gosched/chapters/machine"

// CompileInlining compiles files, and puts the code of functions in place of their calls wherever
// it can, also of those that the program declares.
func CompileInlining(files []machine.File) (*machine.Program, error) {
	c := newCompiler(files)
	c.maxInlined, c.inlinesOwn = 40, true
	return c.compile()
}
