//! Work on several threads while the calling thread stays interruptible; and how often to look at the clock.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::SearchError;

/// How often the calling thread polls.
const PULSE: Duration = Duration::from_millis(30);
/// How often a worker looks at the clock.
const LOOK: Duration = Duration::from_micros(200);
/// The most threads or logical workers that a setting may ask for.
pub(super) const MOST_THREADS: usize = 1024;

/// # Errors
/// No thread at all, or more than [`MOST_THREADS`].
pub(super) fn check_threads(threads: usize) -> Result<(), SearchError> {
    if (1..=MOST_THREADS).contains(&threads) {
        Ok(())
    } else {
        Err(SearchError::setting("threads", format!("{threads}; give a number from 1 to {MOST_THREADS}")))
    }
}

/// Does `work` on every item, each on a thread of its own, a single item on the calling thread; polls meanwhile.
///
/// `work` asks its second argument now and then whether to stop. Returns the results in the order of the items, and
/// whether the poll interrupted the work.
pub(super) fn spread<T: Send, R: Send>(
    items: Vec<T>,
    poll: &mut dyn FnMut() -> bool,
    work: impl Fn(T, &mut dyn FnMut() -> bool) -> R + Sync,
) -> (Vec<R>, bool) {
    let mut interrupted = false;
    if items.len() <= 1 {
        let mut next = Instant::now() + PULSE;
        let mut stop = || {
            if !interrupted && Instant::now() >= next {
                interrupted = poll();
                next = Instant::now() + PULSE;
            }
            interrupted
        };
        let results = items.into_iter().map(|item| work(item, &mut stop)).collect();
        return (results, interrupted);
    }
    let stop = AtomicBool::new(false);
    let (alive, all_gone) = mpsc::channel::<Infallible>();
    let results = std::thread::scope(|scope| {
        let handles: Vec<_> = items
            .into_iter()
            .map(|item| {
                let (alive, stop, work) = (alive.clone(), &stop, &work);
                scope.spawn(move || {
                    let _until_the_end = alive;
                    work(item, &mut || stop.load(Ordering::Relaxed))
                })
            })
            .collect();
        drop(alive);
        // Nothing is ever sent: the channel closes when the last thread is done.
        while let Err(RecvTimeoutError::Timeout) = all_gone.recv_timeout(PULSE) {
            if !interrupted && poll() {
                interrupted = true;
                stop.store(true, Ordering::Relaxed);
            }
        }
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    (results, interrupted)
}

/// Counts pieces of work and looks at the clock so seldom that it costs nothing, so often that no deadline is missed.
#[derive(Debug)]
pub(super) struct Pacer {
    deadline: Option<Instant>,
    looked: Instant,
    stride: u32,
    left: u32,
}

impl Pacer {
    pub(super) fn new(deadline: Option<Instant>) -> Self {
        Self { deadline, looked: Instant::now(), stride: 1, left: 1 }
    }

    /// Counts one piece of work; true when it is time to [`look`](Pacer::look).
    #[inline(always)]
    pub(super) fn count(&mut self) -> bool {
        self.left -= 1;
        self.left == 0
    }

    /// Looks at the clock: true when there is no time for another piece as long as the last ones were.
    #[inline(never)]
    pub(super) fn look(&mut self) -> bool {
        let now = Instant::now();
        let piece = now.duration_since(self.looked) / self.stride;
        let mut until = LOOK;
        let mut late = false;
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(now);
            late = left <= piece;
            until = until.min(left / 2);
        }
        let wanted = until.as_nanos() / piece.as_nanos().max(1);
        let most = u128::from(self.stride) * 2;
        self.stride = wanted.clamp(1, most.min(1 << 20)) as u32;
        self.left = self.stride;
        self.looked = now;
        late
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Pacer, spread};

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let (results, interrupted) = spread(vec![3, 1, 2], &mut || false, |item, _| item * 10);
        assert_eq!((results, interrupted), (vec![30, 10, 20], false));
    }

    #[test]
    fn the_poll_stops_every_thread() {
        for threads in [1, 2] {
            let (turns, interrupted) = spread(vec![(); threads], &mut || true, |(), stop| {
                let mut turns = 0u64;
                while !stop() {
                    turns += 1;
                    std::thread::sleep(Duration::from_millis(1));
                }
                turns
            });
            assert!(interrupted && turns.iter().all(|&turns| turns > 0));
        }
    }

    #[test]
    fn a_passed_deadline_is_late_at_the_first_look() {
        let mut pacer = Pacer::new(Some(Instant::now()));
        assert!(pacer.count());
        assert!(pacer.look());
        let mut pacer = Pacer::new(None);
        assert!(pacer.count());
        assert!(!pacer.look());
    }
}
