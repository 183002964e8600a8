package book

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each page is wrong in one way, and the build says where and what to do.
func TestProblemsOfPages(t *testing.T) {
	for _, test := range []struct{ name, page, want string }{
		{"no title", "Text.\n", "index.md:1: a page begins with its title: a line that begins with a single #"},
		{"two titles", "# A\n\n# B\n", "index.md:3: a page has one title; begin a section with ##"},
		{"duplicate id", "# A\n\n## B\n\ntext\n\n## B\n", `index.md:7: the id "b" is also that of the one of line 3: write another {#id} after the title`},
		{"id of the frame", "# A\n\n## Search\n", `index.md:3: the id "search" is also that of a part of every page: write another {#id} after the title`},
		{"no id", "# A\n\n## ?!\n", `index.md:3: the section "?!" needs an id: write {#id} after its title`},
		{"heading in a box", "# A\n\n::: note\n## B\n:::\n", `index.md:4: the section "B" begins inside a box or list: end that first`},
		{"link to no page", "# A\n\ntext\n[x](none.md)\n", `index.md:4: the link "none.md" leads to a page that does not exist`},
		{"link to no section", "# A\n\n[x](machine.md#none)\n", `index.md:3: the link "machine.md#none": book/en/machine.md has no section with that id`},
		{"link to no section here", "# A\n\n[x](#none)\n", `index.md:3: the link "#none": book/en/index.md has no section with that id`},
		{"link to a file", "# A\n\n[x](../../code/queue.go)\n", `index.md:3: the link "../../code/queue.go" does not lead to a page: link to NAME.md or NAME.md#id, and write other files as code`},
		{"image", "# A\n\n![x](x.png)\n", "index.md:3: images are not supported: pictures in this book come from runs (timeline)"},
		{"block of HTML", "# A\n\n<div>x</div>\n", "index.md:3: HTML is not supported: write Markdown"},
		{"HTML in a line", "# A\n\nx <b>x</b>\n", "index.md:3: HTML is not supported: write Markdown"},
		{"Go by hand", "# A\n\n```go\nx := 1\n```\n", "index.md:3: Go code comes from a compiled file: use ::: snippet FILE#NAME"},
		{"bold that is none", "# A\n\n**“x。”**y\n", `index.md:3: this ** neither begins nor ends bold text`},
		{"unknown element", "# A\n\n::: sidebar\n:::\n", "index.md:3: unknown element ::: sidebar: there are answer, chapters, compare, counterexample, disasm, "},
		{"open element", "# A\n\n::: note\ntext\n", "index.md:3: ::: note is not closed: a line ::: is missing"},
		{"end of nothing", "# A\n\n:::\n", "index.md:3: ::: ends nothing here: an element begins with its name, ::: note"},
		{"box in a box", "# A\n\n::: note\n::: wrong \"x\"\nx\n:::\n:::\n", "index.md:4: ::: wrong cannot stand inside ::: note (line 3)"},
		{"text without an end", "# A\n\n::: wrong \"x\n:::\n", "index.md:3: ::: wrong: a quotation mark without its partner in \"\\\"x\""},
		{"unknown option", "# A\n\n::: note colour=red\nx\n:::\n", "index.md:3: ::: note: unknown option colour="},
		{"option given twice", "# A\n\n::: output code/queue.go go=1.1 go=1.2\n:::\n", "index.md:3: ::: output: go= is given twice"},
		{"extra word", "# A\n\n::: note a b\nx\n:::\n", `index.md:3: ::: note: unexpected argument "b"`},
		{"empty box", "# A\n\n::: note\n:::\n", "index.md:3: ::: note: it is empty"},
		{"history of nothing", "# A\n\n::: history\nx\n:::\n", "index.md:3: ::: history: which version? write ::: history 1.14"},
		{"claim of nothing", "# A\n\n::: wrong\nx\n:::\n", `index.md:3: ::: wrong: what do the notes say? write ::: wrong "The claim."`},
		{"question without answer", "# A\n\n::: question\nx\n:::\n", "index.md:3: ::: question: it has 0 answers, and needs one"},
		{"empty answer", "# A\n\n::: question\nx\n::: answer\n:::\n", "index.md:5: ::: answer: it is empty"},
		{"answer alone", "# A\n\n::: answer\nx\n:::\n", "index.md:3: ::: answer: it stands outside of a question"},
		{"answer of a note", "# A\n\n::: note\nx\n::: answer\nx\n:::\n", "index.md:5: ::: answer cannot stand inside ::: note (line 3)"},
		{"exercise without chapter", "# A\n\n::: exercise\nx\n:::\n", "index.md:3: ::: exercise: it stands only on the page of a chapter"},
		{"unknown directive", "# A\n\nx {{now}}\n", "index.md:3: unknown directive {{now}}: there are goroot, chapter and go"},
		{"open directive", "# A\n\nx {{go 1.14\n}}\n", "index.md:3: {{ without a directive or without }} on the same line"},
		{"version of nothing", "# A\n\nx {{go}}\n", "index.md:3: which version? {{go 1.14}}"},
		{"no such chapter", "# A\n\nx {{chapter 03}}\n", `index.md:3: there is no chapter "03": write {{chapter 07}}`},
		{"in a table", "# A\n\n| a |\n|--|\n| x {{chapter 9}} |\n", `index.md:5: there is no chapter "9": write {{chapter 07}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := problemsOf(t, test.page)
			first, _, _ := strings.Cut(got, "\n")
			assert.Contains(t, strings.ReplaceAll(first, "book/en/", ""), strings.ReplaceAll(test.want, "book/en/", ""))
		})
	}
}

// A build reports all that is wrong, not the first thing, in the order of pages.
func TestAllProblemsAreReported(t *testing.T) {
	opt := withPages(t, map[string]string{
		"machine.md": "# M\n\n[x](none.md)\n",
		"index.md":   "# A\n\n{{now}}\n\n[x](none.md)\n",
	})
	_, err := Render(opt)
	var problems Problems
	require.ErrorAs(t, err, &problems)
	var where []string
	for _, p := range problems {
		where = append(where, filepath.Base(p.File)+strings.Repeat("+", p.Line))
	}
	// The section that a check of chapter 1 names stood on its page; the pages
	// here have two and one problems.
	assert.Equal(t, []string{"index.md+++", "index.md+++++", "machine.md+++"}, where)
}

func TestNamesOfPages(t *testing.T) {
	got := problemsOf(t, "# A\n", func(o *Options) {
		require.NoError(t, os.WriteFile(filepath.Join(o.Root, "book", "en", "03_third.md"), []byte("# C\n"), 0o666))
	})
	assert.Equal(t, "03_third.md: the name is neither one of index, howto, machine, versions, mechanisms nor that of a chapter (NN_name.md for the folder chNN_name, NN_name_more.md for one more page of it)", got)
}

func TestSectionOfACheckExists(t *testing.T) {
	got := problemsOf(t, "# A\n", func(o *Options) { o.Chapters[0].Checks[2].Book = "gone" })
	assert.Equal(t, `01_first.md: the check run refers to the section "gone", which this page does not have`, got)
}

func TestExerciseNeedsASuite(t *testing.T) {
	opt := withPages(t, map[string]string{"01_first.md": "# A\n\n::: exercise\nx\n:::\n"})
	opt.Chapters[0].Checks = nil
	_, err := Render(opt)
	assert.EqualError(t, err, "book/en/01_first.md:3: ::: exercise: ch01_first has no suite yet")
}

// What closes an element, and what does not.
func TestEndsOfElements(t *testing.T) {
	got := htmlOf(t, "# A\n\n- item\n  ::: note\n  in a list\n  :::\n- second\n\n::: note\n- x\n\n```text\n:::\n```\n> quoted\n:::\nafter\n")
	assert.Equal(t, 2, strings.Count(got, "</aside>"))
	assert.Regexp(t, `(?s)<li>item\s*<aside class="box note">.*in a list</p>\s*</aside>\s*</li>`, got)
	assert.Regexp(t, `(?s)<code>:::</code></pre>\s*<blockquote>\s*<p>quoted</p>\s*</blockquote>\s*</aside>\s*<p>after</p>`, got)
}

// A line break is no space between characters written without spaces, whatever
// mark-up is around them.
func TestLineBreaksInChinese(t *testing.T) {
	got := htmlOf(t, "# A\n\n调度器，\n很**重要**\n。end\n中\ntext\n")
	assert.Contains(t, got, "<p>调度器，很<strong>重要</strong>。end\n中\ntext</p>")
	assert.Equal(t, "中文 a b", joinLines("中\n文 a\nb"))
}

func TestArguments(t *testing.T) {
	args, err := parseArguments(`file.go#A.B key=value  text="two words = x" flag "a = b"`)
	require.NoError(t, err)
	assert.True(t, args.flag("flag"))
	assert.False(t, args.flag("flag"))
	assert.Equal(t, "file.go#A.B", args.word())
	assert.Equal(t, "a = b", args.word())
	assert.Equal(t, "", args.word())
	assert.EqualError(t, args.rest(), "unknown option key=")
	assert.Equal(t, "value", args.get("key"))
	assert.Equal(t, "two words = x", args.get("text"))
	assert.NoError(t, args.rest())
}

// A chapter can have more pages than one. They come after it.
func TestOneMorePage(t *testing.T) {
	site, err := Render(withPages(t, map[string]string{"01_first_more.md": "# More of it\n\n[back](01_first.md)\n"}))
	require.NoError(t, err)
	first, more := string(site["01_first.html"]), string(site["01_first_more.html"])
	assert.Contains(t, first, `<a rel="next" href="01_first_more.html">`)
	assert.Contains(t, more, `<a rel="prev" href="01_first.html">`)
	assert.Contains(t, first, `<li><a href="01_first_more.html"><span class="t">More of it</span></a></li>`)
}

// The name of a chapter begins with a capital where a sentence begins with it.
func TestChapterAtTheBeginningOfASentence(t *testing.T) {
	got := htmlOf(t, "# A\n\n{{chapter 01}} is one. {{chapter 02}} is another; see {{chapter 02}}.\n\n- {{chapter 02}}\n- e. g.\n  {{chapter 02}}\n")
	assert.Contains(t, got, `>Chapter 1</a> is one. Chapter 2 is another; see chapter 2.`)
	assert.Contains(t, got, "<li>Chapter 2</li>")
}

// A mechanism leads to the sections, the checks and the programs that there are, and says
// with which chapter the rest comes.
func TestMechanisms(t *testing.T) {
	with := func(o *Options) {
		o.Source = "https://example.org/"
		o.Mechanisms = []Mechanism{
			{Subject: "The one that's first", Methods: []string{"Queue.Put"}, Checks: []string{"ch01/order", "ch01/mine", "ch02/none"},
				Sections: []string{"01_first#code", "02_second#later", "index#words"}, Programs: []string{"code/draw/main.go", "code/one.go"}},
			{Subject: "Another", Coming: 2},
		}
	}
	opt := withPages(t, map[string]string{"index.md": "# Index\n\n## Words\n\n[Here](#mechanism-2).\n\n::: mechanisms\n:::\n"})
	with(&opt)
	site, err := Render(opt)
	require.NoError(t, err)
	html := string(site["index.html"])
	for _, want := range []string{
		`<tr id="mechanism-1"><td class="number">1</td><td><b>The one that’s first</b><br><small><a href="01_first.html#code">1 · Code</a>; <a href="index.html#words">Words</a></small></td>` +
			`<td><code>Queue.Put</code></td>` +
			`<td><a href="01_first.html#code"><code>ch01/order</code></a> <code>ch01/mine</code> ` +
			`<a href="https://example.org/code/draw/main.go"><code>draw/main.go</code></a> <a href="https://example.org/code/one.go"><code>one.go</code></a></td></tr>`,
		`<tr id="mechanism-2"><td class="number">2</td><td><b>Another</b><br><small><span class="notyet">the rest comes with chapter 2</span></small></td>`,
	} {
		assert.Contains(t, html, want)
	}
	assert.Equal(t, "index.md:3: ::: mechanisms: this build was given none", problemsOf(t, "# Index\n\n::: mechanisms\n:::\n"))
	assert.Contains(t, problemsOf(t, "# Index\n\n[Here](#mechanism-3).\n\n::: mechanisms\n:::\n", with), "has no section with that id")
}
