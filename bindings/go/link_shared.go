//go:build !bmo_static

package bmo

// #cgo pkg-config: bmo
import "C"
