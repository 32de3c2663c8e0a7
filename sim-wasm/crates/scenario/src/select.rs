//! From the knobs of an access path to the CPU time and gets of one execution: execute call, fetch call, and what the
//! calling block takes between them.
use crate::scenario::Scenario;
use wwi_kernel::time::Ns;
use wwi_model::config::{Path, SelectConfig};

/// Blocks of the table that an execution gets which finds one row by an index.
const ROW_BLOCKS: f64 = 1.0;

/// What one execution costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Execution {
    /// Buffer gets.
    gets: f64,
    /// Which blocks.
    path: Path,
    /// CPU of the calling block, the execute and the fetch call \[µs\].
    caller: f64,
    execute: f64,
    fetch: f64,
}

/// The execution of an instance whose transactions are executions of a SELECT.
pub(crate) fn execution(scenario: &Scenario, instance: usize) -> Option<Execution> {
    let number = |id| scenario.instance_value(id, instance).as_number();
    let word = |id| scenario.instance_value(id, instance).as_word();
    if word("workload") != "select" {
        return None;
    }
    let (gets, rows) = match word("access_path") {
        "index" => (number("index_gets") + ROW_BLOCKS, 0.0),
        "bitmap" => (number("index_gets"), 0.0),
        _ => (number("table_blocks"), number("table_rows")),
    };
    let (table, index) = (number("table_blocks") as u32, number("index_gets") as u32);
    let path = match word("access_path") {
        "index" => Path { table, rows: ROW_BLOCKS as u32, index },
        "bitmap" => Path { table, rows: 0, index },
        _ => Path { table, rows: table, index: 0 },
    };
    let fetch = number("fetch_us") + gets * number("lio_cpu_us") + rows * number("row_cpu_ns") * 1e-3;
    Some(Execution { gets, path, caller: number("caller_us"), execute: number("execute_us"), fetch })
}

impl Execution {
    /// CPU time of all of it \[s\].
    pub(crate) fn demand_s(self) -> f64 {
        (self.caller + self.execute + self.fetch) * 1e-6
    }
    /// Buffer gets.
    pub(crate) fn gets(self) -> f64 {
        self.gets
    }
    /// CPU time of a get, with its share of everything else \[µs\].
    pub(crate) fn of_a_get_us(self) -> f64 {
        self.demand_s() * 1e6 / self.gets
    }
    /// As the model takes it.
    pub(crate) fn config(self) -> SelectConfig {
        let us = Ns::from_us;
        let (caller, execute, fetch) = (us(self.caller), us(self.execute), us(self.fetch));
        SelectConfig { caller, execute, fetch, gets: self.gets as u32, path: self.path }
    }
}
