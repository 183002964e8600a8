package machine

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEveryOperationAndTrapHasAName(t *testing.T) {
	seen := map[string]bool{}
	for op := range NumOps {
		assert.Regexp(t, `^[A-Z0-9]{2,5}$`, op.String(), "op %d", uint8(op))
		assert.False(t, seen[op.String()], "two operations are called %v", op)
		seen[op.String()] = true
	}
	assert.Equal(t, "op255", Op(255).String())
	for trap := range NumTraps {
		assert.NotEmpty(t, trap.String(), "trap %d", uint8(trap))
	}
}

func TestDisasm(t *testing.T) {
	p := fib()
	assert.Equal(t, `main.fib: frame 5, args 2, prog.go:3
     0     :3  ENTER 5
     1         JGEI  a0, 2, 4
     2     :4  MOV   a1, a0
     3         RET   5
     4     :6  ADDI  r0, a0, -1
     5         CALL  main.fib
     6         MOV   r3, r1
     7     :7  ADDI  r0, a0, -2
     8         CALL  main.fib
     9         ADD   a1, r3, r1
    10         RET   5
`, p.Disasm(&p.Funcs[0]))
	assert.Equal(t, `runtime.goexit: frame 0, args 0, prog.go:0
    11         TRAP  goexit, r0
`, p.Disasm(&p.Funcs[1]))
}

func TestDisasmOfOperands(t *testing.T) {
	f := &Func{Frame: 40, Args: 2}
	for want, i := range map[string]Instr{
		"NOP":                        Enc(NOP, 0, 0, 0, 0),
		"MOVN  r1, r2, 3":            Enc(MOVN, 3, 1, 2, 0),
		"LDI   r1, -7":               EncImm(LDI, 0, 1, -7),
		"LDK   r1, 0xff":             EncImm(LDK, 0, 1, 0),
		"LDK   r1, #9":               EncImm(LDK, 0, 1, 9),
		"EXT   r1, r2, uint16":       Enc(EXT, uint8(ExtU16), 1, 2, 0),
		"EXT   r1, r2, ext9":         Enc(EXT, 9, 1, 2, 0),
		"FADD  r1, r2, r3, float32":  Enc(FADD, 1, 1, 2, 3),
		"CVIF  r1, r2, float64":      Enc(CVIF, 0, 1, 2, 0),
		"LD32S r1, [r2]":             Enc(LD32S, 0, 1, 2, 0),
		"LD32S r1, [r2+40000]":       Enc(LD32S, 0, 1, 2, 40000),
		"ST8   [r1+4], a1":           Enc(ST8, 0, 1, 42, 4),
		"STB   [r1], r2, 12":         Enc(STB, 12, 1, 2, 0),
		"LDB   r1, [r2+1], 12":       Enc(LDB, 12, 1, 2, 1),
		"ALD   r1, [r2+8], 64":       Enc(ALD, uint8(Width64), 1, 2, 8),
		"AST   [r1], r2, uint32":     Enc(AST, uint8(WidthUint32), 1, 2, 0),
		"ACAS  r1, [r2], r3, int32":  Enc(ACAS, uint8(WidthInt32), 1, 2, 3),
		"AADD  r1, [r2], a0, 64":     Enc(AADD, uint8(Width64), 1, 2, 41),
		"AOR   r1, [r2], r3, width9": Enc(AOR, 9, 1, 2, 3),
		"JZ    r1, 8":                EncImm(JZ, 0, 1, 7),
		"JLTI  r1, -3, 0":            Enc(JLTI, 0, 1, 0xfffd, 0xffff),
		"NEWN  r1, r2, 24":           Enc(NEWN, 0, 1, 2, 24),
		"HOST  999, r1":              EncImm(HOST, 0, 1, 999),
		"TRAP  newproc, r1":          Enc(TRAP, uint8(TrapNewproc), 1, 0, 0),
		"CALL  #3":                   EncImm(CALL, 0, 0, 3),
		"RET   40":                   EncImm(RET, 0, 0, 40),
		"0x00000000000000ff":         255,
	} {
		p := &Program{Code: []Instr{i}, Consts: []uint64{255}}
		assert.Equal(t, want, p.instr(f, 0))
	}
}
