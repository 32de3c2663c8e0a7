//! The border in wasm: numbers alone, so that no glue stands between.
#![cfg(target_arch = "wasm32")]
use crate::{run, Run, ENGINES, WORKLOADS};
use std::cell::RefCell;
use wwi_scenario::number::{borrow, Notation};

getrandom::register_custom_getrandom!(none);

/// There is no source of randomness, and nobody may ask for one.
fn none(_: &mut [u8]) -> Result<(), getrandom::Error> {
    Err(getrandom::Error::UNSUPPORTED)
}

thread_local! {
    static RUNS: RefCell<Vec<Option<Box<dyn Run>>>> = const { RefCell::new(Vec::new()) };
}

/// Simulates about so many events more of a workload in an engine, each by its number, and returns how many there were;
/// 0 where there is no such workload or engine.
#[no_mangle]
pub extern "C" fn turn(engine: u32, workload: u32, events: u32) -> u32 {
    let (engine, workload) = (engine as usize, workload as usize);
    RUNS.with_borrow_mut(|runs| {
        if engine >= ENGINES.len() || workload >= WORKLOADS.len() {
            return 0;
        }
        borrow(Notation { read: |text| text.parse().unwrap_or(f64::NAN), shortest: |number| format!("{number:e}") });
        runs.resize_with(ENGINES.len() * WORKLOADS.len(), || None);
        let place = &mut runs[engine * WORKLOADS.len() + workload];
        if place.is_none() {
            *place = run(engine, WORKLOADS[workload].1);
        }
        place.as_mut().map_or(0, |run| run.turn(events.into()) as u32)
    })
}
