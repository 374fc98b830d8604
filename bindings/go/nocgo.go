//go:build !cgo

package bmo

// The whole package without cgo. The compiler names what is undefined: the name says what to do.
var _ = bmo_needs_cgo__set_CGO_ENABLED_to_1_and_install_a_C_compiler
