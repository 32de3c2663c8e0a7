//! Why a run has no figures.
use std::fmt;
use wwi_kernel::time::Ns;

/// A run that cannot be answered from. No figure of it means anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunFault {
    /// Events without end came at one moment. No scenario asks for that: the model is wrong.
    TimeStandsStill {
        /// That moment.
        at: Ns,
    },
    /// The event budget was spent before the clock moved.
    NothingSimulated {
        /// That budget.
        max_events: u64,
    },
    /// Transactions come to an instance faster than they end, and always will.
    QueueGrows {
        /// Which, counted from 1.
        instance: u32,
        /// Transactions that come in 1,000 s, on average.
        milli_per_s: u64,
        /// By how many more are inside after 1,000 s.
        growth: u64,
    },
    /// The event budget was spent before any start of a run that ends had ended.
    NothingEnded {
        /// That budget.
        max_events: u64,
    },
}

impl fmt::Display for RunFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            RunFault::TimeStandsStill { at } => write!(
                f,
                "simulated time stands still at {} ns: events without end came at that moment. This is a fault of the \
                 model, not an answer",
                at.0
            ),
            RunFault::NothingSimulated { max_events } => write!(
                f,
                "no time was simulated: the budget of {max_events} events was spent before the clock moved. Raise \
                 max_events"
            ),
            RunFault::QueueGrows { instance, milli_per_s, growth } => {
                let hundredths = |milli: &u64| ((milli + 5) / 1000, (milli + 5) / 10 % 100);
                let ((by, by_parts), (of, of_parts)) = (hundredths(growth), hundredths(milli_per_s));
                write!(f, "arrivals_per_s: the queue of instance {instance} grows for ever: by ")?;
                // By chance more may have come than come on average.
                match growth < milli_per_s {
                    true => write!(f, "{by}.{by_parts:02} transactions a second, of {of}.{of_parts:02} that come"),
                    false => write!(f, "nearly all of the {of}.{of_parts:02} transactions that come a second"),
                }
            }
            RunFault::NothingEnded { max_events } => write!(
                f,
                "the sessions did not come to their end: the budget of {max_events} events was spent before. Raise \
                 max_events, or give sessions less to do"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_grows_by_no_more_than_comes() {
        let told = |growth| RunFault::QueueGrows { instance: 1, milli_per_s: 500_000, growth }.to_string();
        let ends = |growth, words: &str| assert!(told(growth).ends_with(words), "{}", told(growth));
        ends(3_470, "grows for ever: by 3.47 transactions a second, of 500.00 that come");
        ends(503_470, "grows for ever: by nearly all of the 500.00 transactions that come a second");
    }
}
