package bmo

// #include "calls.h"
import "C"

import (
	"runtime"
	"sync"
)

// A handle frees something of C once: when it is closed and no call uses it any more.
type handle struct {
	mu      sync.Mutex
	free    func()
	calls   int
	running map[*C.bmo_cancel]struct{} // what stops the calls that close stops
	closed  bool
	bytes   int64 // of C that are counted until it is closed

	lent lent // what the user must not change until it is closed
}

// newHandle returns a handle that the collector closes where nobody else does.
func newHandle(free func()) *handle {
	h := &handle{free: free, running: map[*C.bmo_cancel]struct{}{}}
	runtime.SetFinalizer(h, (*handle).end)
	return h
}

// count makes the collector run where there is much of C that nobody closed.
func (h *handle) count(bytes int64) {
	h.bytes = bytes
	countMade(bytes)
}

// use makes a call during which nothing is freed, neither by close nor by the collector.
func (h *handle) use(call func() error) error {
	if !h.enter() {
		return ErrClosed
	}
	defer h.leave()
	return call()
}

func (h *handle) enter() bool {
	if h == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.calls++
	return true
}

func (h *handle) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls--
	h.freeUnused()
	runtime.KeepAlive(h)
}

// stoppable makes a call that close stops by requesting cancel. Without a handle it just makes the call.
func (h *handle) stoppable(cancel *C.bmo_cancel, call func() error) error {
	if h == nil {
		return call()
	}
	h.mu.Lock()
	h.running[cancel] = struct{}{}
	if h.closed {
		C.bmo_cancel_request(cancel)
	}
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.running, cancel)
		h.mu.Unlock()
	}()
	return call()
}

func (h *handle) close() {
	if h != nil && h.end() {
		countClosed(h.bytes)
	}
}

// end closes, and tells whether it was open.
func (h *handle) end() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.closed = true
	for cancel := range h.running {
		C.bmo_cancel_request(cancel)
	}
	h.freeUnused()
	runtime.SetFinalizer(h, nil)
	return true
}

func (h *handle) freeUnused() {
	if h.closed && h.calls == 0 {
		h.free()
		h.lent = nil
	}
}
