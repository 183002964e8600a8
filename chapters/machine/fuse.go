package machine

import "slices"

// This file joins instructions that often follow one another, so that the CPU chooses what to do
// once for two or three of them.

// The operations of several instructions at once. They are no part of a Program, but only of the
// copy of its code that the CPU executes: there such an operation stands in the place of the
// first one, with the operands of that, and the second one lies behind it as ever. So a jump to
// the second, and everything that knows where an instruction lies, are as without. If the second
// cannot be executed, the first has been, and PC is at the second; the same holds of a third.
const (
	fuseCall     Op = NumOps + iota // CALL and the ENTER to which it leads: Imm is where that is
	fuseAddiCall                    // ADDI, CALL and ENTER
	fuseAddiJlt
	fuseAddiJlti
	fuseAddiJle
	fuseAddiMov
	fuseLdiLdi
	fuseLdiLea
	fuseLdiMov
	fuseLdiAnd
	fuseLdiTrap
	fuseMovMov
	fuseMovLdi
	fuseMovLea
	fuseMovJz
	fuseMovRet
	fuseLeaTrap
	fuseLdkMul
	fuseMulAdd
	fuseAddAddi
	fuseAddRet
	fuseAndJeqi
	fuseAndJnei
)

// longest is how many instructions stand together at most.
const longest = 3

// fusions are the pairs that execute knows: of those that programs execute most the ones that
// are worth it.
var fusions = map[[2]Op]Op{
	{ADDI, CALL}: fuseAddiCall,
	{ADDI, JLT}:  fuseAddiJlt,
	{ADDI, JLTI}: fuseAddiJlti,
	{ADDI, JLE}:  fuseAddiJle,
	{ADDI, MOV}:  fuseAddiMov,
	{LDI, LDI}:   fuseLdiLdi,
	{LDI, LEA}:   fuseLdiLea,
	{LDI, MOV}:   fuseLdiMov,
	{LDI, AND}:   fuseLdiAnd,
	{LDI, TRAP}:  fuseLdiTrap,
	{MOV, MOV}:   fuseMovMov,
	{MOV, LDI}:   fuseMovLdi,
	{MOV, LEA}:   fuseMovLea,
	{MOV, JZ}:    fuseMovJz,
	{MOV, RET}:   fuseMovRet,
	{LEA, TRAP}:  fuseLeaTrap,
	{LDK, MUL}:   fuseLdkMul,
	{MUL, ADD}:   fuseMulAdd,
	{ADD, ADDI}:  fuseAddAddi,
	{ADD, RET}:   fuseAddRet,
	{AND, JEQI}:  fuseAndJeqi,
	{AND, JNEI}:  fuseAndJnei,
}

// fuse returns the code of p as the CPU executes it.
func (p *Program) fuse() []Instr {
	code := slices.Clone(p.Code)
	for pc, i := range p.Code {
		if i.Op() == CALL {
			if entry := p.Funcs[i.Imm()].Entry; p.Code[entry].Op() == ENTER {
				code[pc] = EncImm(fuseCall, i.X(), i.A(), int32(entry))
			}
		} else if pc+1 < len(code) {
			next := p.Code[pc+1]
			if next.Op() == CALL && p.Code[p.Funcs[next.Imm()].Entry].Op() != ENTER {
				continue
			}
			if op, ok := fusions[[2]Op{i.Op(), next.Op()}]; ok {
				code[pc] = i&^0xff | Instr(op)
			}
		}
	}
	return code
}
