package bmo

import (
	"errors"
	"strings"
	"testing"
)

// Values that changed to others which C takes are told from a bug of the library by nobody.
func TestBlameOfLentData(t *testing.T) {
	bug := &Error{Kind: ErrInternal, Row: 3, Col: -1, Message: "query 3 has 1 neighbors"}
	for name, test := range map[string]struct {
		lent lent
		err  *Error
		want error
	}{
		"nothing lent":     {nil, bug, ErrInternal},
		"other values":     {func() error { return nil }, bug, ErrInvalid},
		"Rho of good":      {func() error { return nil }, &Error{Kind: ErrCallback}, ErrCallback},
		"a Rho that fails": {func() error { panic("not asked for") }, &Error{Kind: ErrCallback, cause: errors.New("mine")}, ErrCallback},
		"another failure":  {func() error { panic("not asked for") }, &Error{Kind: ErrNoMemory}, ErrNoMemory},
		"overflow of good": {func() error { return nil }, &Error{Kind: ErrOverflow}, ErrOverflow},
	} {
		got := blame(test.err, nil, test.lent)
		if !errors.Is(got, test.want) || test.want == ErrInvalid && !strings.Contains(got.Error(), "or libbmo has a bug: query 3 has 1 neighbors; make") {
			t.Errorf("%s: %v; want %v", name, got, test.want)
		}
	}
	if err := blame(nil, nil); err != nil {
		t.Error(err)
	}
}
