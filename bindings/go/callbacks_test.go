package bmo

import "testing"

// A Go of before 1.21 does not tell a panic of nil from none; nor does a later one for a module that says so.
func TestPanicOfNilIsAFailure(t *testing.T) {
	for _, setting := range []string{"panicnil=1", "panicnil=0"} {
		t.Setenv("GODEBUG", setting)
		if err := recovering(func() error { panic(nil) }); err == nil {
			t.Errorf("%s: no error; want that of the panic", setting)
		}
	}
	if err := recovering(func() error { return nil }); err != nil {
		t.Errorf("%v; want none", err)
	}
}
