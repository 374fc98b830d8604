//go:build bmo_static

// What libbmo.a gives is not looked for in libbmo.so, which pkg-config names, too.

package bmo

// #cgo pkg-config: --static bmo
// #cgo LDFLAGS: -l:libbmo.a -Wl,--as-needed
import "C"
