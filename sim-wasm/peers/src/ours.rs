//! This engine, with all that it keeps but the loss ledger.
use crate::{Run, Workload, WORKLOADS};
use wwi_model::experiment::Experiment;
use wwi_scenario::bench::{config, endless};

struct Ours(Box<Experiment>);

impl Run for Ours {
    fn turn(&mut self, events: u64) -> u64 {
        let before = self.0.progress().events;
        self.0.advance(events).events - before
    }
}

pub fn run(workload: Workload) -> Option<Box<dyn Run>> {
    let (name, _) = WORKLOADS.iter().find(|(_, other)| *other == workload)?;
    Some(Box::new(Ours(Box::new(Experiment::new(&config(name)?, endless()).without_ledger()))))
}
