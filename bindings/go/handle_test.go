package bmo

import (
	"runtime"
	"testing"
	"time"
)

// freed waits for a handle to be freed, which the collector does in its own time.
func freed(t *testing.T, signal <-chan struct{}) {
	t.Helper()
	for i := 0; i < 500; i++ {
		runtime.GC()
		select {
		case <-signal:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Fatal("not freed")
}

func unfreed(t *testing.T, signal <-chan struct{}) {
	t.Helper()
	runtime.GC()
	runtime.GC()
	select {
	case <-signal:
		t.Fatal("freed too early")
	case <-time.After(20 * time.Millisecond):
	}
}

func signalled() (*handle, <-chan struct{}) {
	signal := make(chan struct{}, 2)
	return newHandle(func() { signal <- struct{}{} }), signal
}

func TestCollectorFreesWhatWasForgotten(t *testing.T) {
	_, signal := signalled()
	freed(t, signal)
	unfreed(t, signal)
}

func TestNothingIsFreedDuringACall(t *testing.T) {
	h, signal := signalled()
	err := h.use(func() error {
		unfreed(t, signal) // the handle is not mentioned below: the call alone keeps it
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	freed(t, signal)
}

func TestCloseWaitsForTheLastCall(t *testing.T) {
	h, signal := signalled()
	err := h.use(func() error {
		return h.use(func() error {
			h.close()
			h.close()
			unfreed(t, signal)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	freed(t, signal)
	unfreed(t, signal)
	if err := h.use(func() error { return nil }); err != ErrClosed {
		t.Errorf("%v; want ErrClosed", err)
	}
}
