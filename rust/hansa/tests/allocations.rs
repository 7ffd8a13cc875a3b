//! Law 12: warm work allocates not one byte.
#![cfg(feature = "conform")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use hansa::conform::{Chore, Subject, subjects};

/// Counts what this thread asks for; the system's allocator does the work.
struct Counting;

thread_local! {
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

fn note(bytes: usize) {
    BYTES.with(|count| count.set(count.get() + bytes as u64));
}

// SAFETY: every call is handed on unchanged; the counter is a plain number of this thread.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What the measured part of a chore allocates.
fn bytes(subject: &dyn Subject, chore: Chore, times: u64) -> u64 {
    let mut bytes = 0;
    subject.work(chore, times, &mut |work| {
        let before = BYTES.get();
        work();
        bytes = BYTES.get() - before;
    });
    bytes
}

#[test]
fn warm_work_allocates_nothing() {
    let counted = std::hint::black_box(vec![0u8; 1000]);
    assert!(BYTES.get() >= counted.len() as u64, "the allocator counts");
    for subject in subjects() {
        let name = subject.game().header().to_string();
        for chore in Chore::ALL {
            match chore {
                Chore::Playouts | Chore::Steps | Chore::Determinizations | Chore::Observations => {
                    assert_eq!(bytes(&*subject, chore, 20), 0, "{name}: {chore:?}");
                }
                Chore::HeuristicPlayouts => {
                    // A series has a report and a list of actions, which may have to grow once more; playouts need nothing.
                    let (few, many) = (bytes(&*subject, chore, 64), bytes(&*subject, chore, 640));
                    assert!(few > 0 && many < few + 512, "{name}: {few} bytes for 64 playouts, {many} for 640");
                }
                Chore::Search => {
                    // A search prepares the view and writes a report with the principal variation, which is longer after
                    // more simulations. If a simulation allocated, 3,000 more would show by far more than this.
                    let (few, many) = (bytes(&*subject, chore, 1000), bytes(&*subject, chore, 4000));
                    assert!(
                        few > 0 && many < few + 3000 * 8,
                        "{name}: {few} bytes for 1000 simulations, {many} for 4000"
                    );
                }
            }
        }
    }
}
