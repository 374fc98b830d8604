package bmo

import (
	"runtime"
	"sync"
)

// A handle frees something of C once: when it is closed and no call uses it any more.
type handle struct {
	closing chan struct{} // closed by close

	mu     sync.Mutex
	free   func()
	calls  int
	closed bool
}

// newHandle returns a handle that the collector closes where nobody else does.
func newHandle(free func()) *handle {
	h := &handle{closing: make(chan struct{}), free: free}
	runtime.SetFinalizer(h, (*handle).close)
	return h
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

func (h *handle) close() {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	h.closed = true
	close(h.closing)
	h.freeUnused()
	runtime.SetFinalizer(h, nil)
}

func (h *handle) freeUnused() {
	if h.closed && h.calls == 0 {
		h.free()
	}
}
