// Package book renders the sources of the book, Markdown files in book/en, to a
// folder of HTML pages that can be read from disk, and serves it.
//
// The rule of the book is that nothing in it can go stale. Code is cut out of
// compiled files, timelines and outputs come from running programs while the
// book is built, and each fact about the real runtime is checked against the
// source of the installed Go. What cannot be produced or does not hold fails the
// build, with the file and line of the page.
//
// # The source language
//
// Pages are CommonMark with tables, footnotes and definition lists. Two things
// are added. README.md, beside this file, shows them with examples.
//
// An element is a block between a line "::: name arguments" and a line ":::".
// What stands between is Markdown: the caption of a figure, or the text of a box.
//
//	snippet FILE[#NAME]       Go code: a declaration, a region or a file (from= to= doc=no body)
//	timeline FILE go=V        a run to step through (step= seed= args= status= holds= title=)
//	output FILE go=V | real   what a program prints (seed= args= status= lines= measured)
//	output … plot=KIND        the same, drawn (columns= alt= y= by= x= log= split= note= base= step=)
//	compare FILE… go="V V"    two of the versions side by side, for the reader to choose (procs= left= right= at= seed= title=)
//	versions FILE… go="V V"   how the programs did on the versions, as a table (procs= seed= plot=dots alt=)
//	counterexample CHAPTER NAME  how a model fails on a wrong solution (holds=)
//	speeds FILE               what programs cost on the versions, as ratio to Go, measured earlier
//	disasm FILE#FUNC          the machine's instructions of a function
//	question, predict         a question; "::: answer" begins the part that folds
//	exercise                  the task: methods, command and checks of the chapter's suite
//	chapters                  the table of the course
//	map                       the whole scheduler: sources of work, states, parts
//	mechanisms                the table of what the scheduler does, and where that is
//	note ["TITLE"]            a side remark
//	history GO ["TITLE"]      what was so before, or changed with, that version
//	wrong "CLAIM"             what the common notes say, then what is true
//
// A directive is written inside a line of text.
//
//	{{goroot FILE#DECLARATION}}                 the real runtime has it
//	{{goroot FILE#DECLARATION = VALUE as TEXT}} and it has this value or type
//	{{goroot FILE#DECLARATION ~ CODE}}          and it contains this code (!~: does not)
//	{{chapter NN}}                              a link to a chapter, or its number if it has no page yet
//	{{go V}}                                    a version tag
package book
