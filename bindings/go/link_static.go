//go:build bmo_static

package bmo

// What libbmo.a gives is not looked for in libbmo.so, which pkg-config names, too.
// #cgo pkg-config: --static bmo
// #cgo LDFLAGS: -l:libbmo.a -Wl,--as-needed
import "C"
