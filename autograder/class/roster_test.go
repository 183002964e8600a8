package class

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadRoster(t *testing.T) {
	rows, err := ReadRoster(strings.NewReader("\ufeffStudent, source,due,commit,name\r\n" +
		"ann,work/ann,2026-03-01T23:59:59+01:00,main,\"Öz, Ann\"\r\n" +
		"\r\n" +
		"bob,https://example.com/bob/gosched.git,,,\r\n" +
		" 李雷 ,file:///srv/git/li.git,,v1.0,\r\n"))
	require.NoError(t, err)
	require.Len(t, rows, 3)
	assert.Equal(t, "ann", rows[0].Student)
	assert.Equal(t, "Öz, Ann", rows[0].Name)
	assert.True(t, rows[0].Due.Equal(time.Date(2026, 3, 1, 22, 59, 59, 0, time.UTC)))
	assert.Equal(t, Row{Student: "bob", Source: "https://example.com/bob/gosched.git"}, rows[1])
	assert.Equal(t, Row{Student: "李雷", Source: "file:///srv/git/li.git", Ref: "v1.0"}, rows[2])
	assert.True(t, rows[0].Git(), "a folder of which a branch is named")
	assert.True(t, rows[1].Git())
	assert.False(t, Row{Source: "work/ann"}.Git())
}

func TestReadRosterErrors(t *testing.T) {
	const head = "student,source,name,commit,due\n"
	for _, tt := range []struct{ what, text, err string }{
		{"empty", "", "line 1: the roster is empty; its first line names the columns: student,source"},
		{"no students", "student,source\n", "line 1: the roster has no students"},
		{"unknown column", "student;source\n", `line 1: there is no column "student;source"; there are student, source, name, commit, due, with commas between them`},
		{"column missing", "student,name\na,b\n", "line 1: the column source is missing"},
		{"column twice", "student,source,student\n", "line 1: the column student is there twice"},
		{"quote", head + "ann,\"a,,,\n", "line 2: extraneous or missing \" in quoted-field"},
		{"columns", head + "ann,a\n", "line 2: it has 2 columns, and the first line names 5"},
		{"no student", head + ",a,,,\n", "line 2: the student has no name"},
		{"twice", head + "ann,a,,,\nbob,b,,,\nAnn,c,,,\n", "line 4: the student Ann is in line 2 already"},
		{"no source", head + "ann,,,,\n", "line 2: there is no source"},
		{"invisible", head + "an\u202en,a,,,\n", `line 2: the column student has something invisible in it: "an\u202en"`},
		{"long", head + "ann," + strings.Repeat("a", 1001) + ",,,\n", "line 2: the column source has 1001 bytes; 1000 are possible"},
		{"due", head + "ann,a,,,tomorrow\n", `line 2: the date "tomorrow" is not written as in 2026-03-01T23:59:59+01:00`},
		{"flag", head + "ann,-u,,,\n", `line 2: the source "-u" would be taken for a flag; write ./-u`},
		{"ssh", head + "ann,git@example.com:a/b,,,\n", `line 2: the source "git@example.com:a/b": a batch has no credentials; clone it with yours, and name the folder`},
		{"password", head + "ann,https://me:secret@example.com/a,,,\n", `line 2: the source "https://me:xxxxx@example.com/a": a batch has no credentials; clone it with yours, and name the folder`},
		{"http", head + "ann,http://example.com/a,,,\n", `line 2: the source "http://example.com/a": a repository has an address that begins with https:// or file:///`},
		{"ext", head + "ann,ext::sh -c id,,,\n", `line 2: the source "ext::sh -c id" would run a program of git's; there are folders, https:// and file:///`},
		{"refspec", head + "ann,a,,a:b,\n", `line 2: "a:b" is neither a commit nor the name of a branch or tag`},
		{"flag as commit", head + "ann,a,,--upload-pack=x,\n", `line 2: "--upload-pack=x" is neither a commit nor the name of a branch or tag`},
		{"all of them", head + ",a,,,\nbob,,,,\n", "line 2: the student has no name\nline 3: there is no source"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			_, err := ReadRoster(strings.NewReader(tt.text))
			assert.EqualError(t, err, tt.err)
		})
	}
}

func TestShard(t *testing.T) {
	whole, err := ParseShard("3/20")
	require.NoError(t, err)
	assert.Equal(t, Shard{3, 20}, whole)
	for _, wrong := range []string{"", "3", "0/20", "21/20", "3/20x", "-1/2", "03/20", "1/0"} {
		_, err := ParseShard(wrong)
		assert.ErrorContains(t, err, "3/20 is the third of 20", wrong)
	}
	sizes := map[int]int{}
	for _, row := range rows(500) {
		in := 0
		for i := 1; i <= 20; i++ {
			if (Shard{i, 20}).Has(row.Student) {
				in++
				sizes[i]++
			}
		}
		assert.Equal(t, 1, in, "%s must be in one shard", row.Student)
		assert.True(t, Shard{}.Has(row.Student))
	}
	for i := 1; i <= 20; i++ {
		assert.Greater(t, sizes[i], 5, "shard %d", i)
	}
	assert.True(t, Shard{11, 20}.Has("ann"), "a student stays in the shard: results would be made twice")
}

func FuzzReadRoster(f *testing.F) {
	f.Add("student,source\nann,a\n")
	f.Add("student,source,commit,due\nann,https://x/y,main,2026-01-01T00:00:00Z\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := ReadRoster(strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "line ") {
				t.Errorf("an error without a line: %v", err)
			}
			return
		}
		for _, row := range rows {
			if row.Student == "" || checkSource(row.Source) != nil || strings.HasPrefix(row.Ref, "-") {
				t.Errorf("%+v", row)
			}
		}
	})
}
