package bmo

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"
)

func TestEveryIdentifierIsDocumented(t *testing.T) {
	packages, err := parser.ParseDir(token.NewFileSet(), ".", func(file fs.FileInfo) bool {
		return !strings.HasSuffix(file.Name(), "_test.go")
	}, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	described := doc.New(packages["bmo"], "bmo", 0)
	wantDoc(t, "the package", described.Doc)
	wantFunctions(t, described.Funcs)
	wantValues(t, described.Vars, described.Consts)
	for _, kind := range described.Types {
		wantDoc(t, kind.Name, kind.Doc)
		wantFunctions(t, kind.Funcs, kind.Methods)
		wantValues(t, kind.Vars, kind.Consts)
	}
}

func wantDoc(t *testing.T, name, text string) {
	if ast.IsExported(name) && text == "" {
		t.Errorf("%s has no comment", name)
	}
}

func wantFunctions(t *testing.T, lists ...[]*doc.Func) {
	for _, functions := range lists {
		for _, function := range functions {
			wantDoc(t, function.Name, function.Doc)
		}
	}
}

func wantValues(t *testing.T, lists ...[]*doc.Value) {
	for _, values := range lists {
		for _, value := range values {
			wantDoc(t, value.Names[0], value.Doc)
		}
	}
}
