//! Work shared out over threads: results are those of one thread, in the order of what was asked.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Mutex;

/// Set once a hand has interrupted the program ([`heed`]).
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Exit code of a program that an interrupt ended: 128 and the number of the signal.
const ENDED_BY_INTERRUPT: i32 = 130;

/// From now on an interrupt is noted; work under way ends where it may. A second one ends the program at once.
pub fn heed() {
    let noted = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(ENDED_BY_INTERRUPT);
        }
    });
    // Without a handler an interrupt ends the program, as it does anyway.
    let _ = noted;
}

/// Whether work is to end.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// So many as this machine runs at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Calls `work` with each of `inputs` on so many threads; results in the order of the inputs. Once it is interrupted no
/// further one is begun, and those that are missing are not there: the answer is shorter.
pub fn on_threads<I: Sync, T: Send>(threads: usize, inputs: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, inputs.len().max(1)) {
            scope.spawn(|| {
                while !is_interrupted() {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(input) = inputs.get(at) else { break };
                    let one = work(input);
                    found.lock().expect("no thread panicked").push((at, one));
                }
            });
        }
    });
    let mut found = found.into_inner().expect("no thread panicked");
    found.sort_by_key(|one| one.0);
    found.into_iter().map(|one| one.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_inputs_for_any_number_of_threads() {
        let inputs: Vec<u64> = (0..100).collect();
        for threads in [0, 1, 2, 7, 1000] {
            // The first take longest, so that later ones overtake them.
            let found = on_threads(threads, &inputs, |&n| {
                (0..(100 - n) * 500).fold(n, |sum, one| std::hint::black_box(sum ^ one ^ one));
                n * n
            });
            assert_eq!(found, inputs.iter().map(|n| n * n).collect::<Vec<_>>(), "{threads} threads");
        }
        assert!(on_threads(3, &[] as &[u64], |&n| n).is_empty());
    }
}
