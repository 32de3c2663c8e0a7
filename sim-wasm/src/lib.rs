//! The border to JavaScript: decode, call, encode, and nothing else.
//!
//! Nothing here panics on what comes from outside: whatever is wrong is thrown as JSON text `{code, message, field}`.

mod fit;
mod run;

use wasm_bindgen::prelude::*;

#[cfg(target_arch = "wasm32")]
mod script {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = Number)]
        pub fn number(text: &str) -> f64;
        #[wasm_bindgen(js_name = String)]
        pub fn shortest(number: f64) -> String;
    }
}

/// Runs once when the module is loaded: a panic, should there be one, is told to the console in words, and numbers are
/// read and written as JavaScript does.
#[wasm_bindgen(start)]
pub fn start() {
    #[cfg(target_arch = "wasm32")]
    {
        console_error_panic_hook::set_once();
        wwi_scenario::number::borrow(wwi_scenario::number::Notation {
            read: script::number,
            shortest: script::shortest,
        });
    }
}

/// What a scenario text says, or everything wrong with it, as JSON.
#[wasm_bindgen]
pub fn describe(query: &str) -> String {
    wwi_scenario::describe::to_json(query)
}

/// One run, advanced in slices so that cancelling is heard.
#[wasm_bindgen]
pub struct Run(run::Run);

#[wasm_bindgen]
impl Run {
    /// Reads the scenario and the options (JSON); throws JSON text where either is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(query: &str, options: &str) -> Result<Run, JsValue> {
        run::Run::new(query, options).map(Run).map_err(|fault| JsValue::from_str(&fault))
    }
    /// Simulates about so many events. Answers done (0 or 1), events, relative half-width, LIO/s and its half-width,
    /// simulated seconds, mean response and its half-width in ms, batches; NaN where there is too little data.
    /// Throws JSON text where the run has no figures: time stands still, or none was simulated.
    pub fn advance(&mut self, max_events: f64) -> Result<Vec<f64>, JsValue> {
        let figures = self.0.advance(max_events);
        self.0.fault().map_or(Ok(figures), |fault| Err(JsValue::from_str(&fault)))
    }
    /// The same of what this one is compared with; empty where there is nothing.
    #[wasm_bindgen(js_name = otherProgress)]
    pub fn other_progress(&self) -> Vec<f64> {
        self.0.other_progress()
    }
    /// LIO/s of each replication, then the response time in ms of each.
    pub fn reps(&self, of_a: bool) -> Vec<f64> {
        self.0.reps(of_a)
    }
    /// The metric that the options name: mean, half-width (or NaN), then the value of each replication; empty where it
    /// does not apply.
    pub fn metric(&self, of_a: bool) -> Vec<f64> {
        self.0.metric(of_a)
    }
    /// The report as JSON.
    pub fn report(&self, of_a: bool) -> String {
        self.0.report(of_a)
    }
    /// The numbers that the columns of the report point into.
    pub fn data(&self, of_a: bool) -> Vec<f64> {
        self.0.data(of_a)
    }
}

/// One knob found from measured points, in slices so that cancelling is heard.
#[wasm_bindgen]
pub struct Fit(fit::Fitting);

#[wasm_bindgen]
impl Fit {
    /// Reads scenario, knobs and points, four numbers each; throws JSON text where anything is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(query: &str, over: &str, free: &str, points: &[f64]) -> Result<Fit, JsValue> {
        fit::Fitting::new(query, over, free, points).map(Fit).map_err(|fault| JsValue::from_str(&fault))
    }
    /// Tries values for about so many events. Answers done (0 or 1), values tried, how many are tried at most; throws
    /// JSON text where no value can be tried.
    pub fn advance(&mut self, max_events: f64) -> Result<Vec<f64>, JsValue> {
        self.0.advance(max_events).map_err(|fault| JsValue::from_str(&fault))
    }
    /// What is found so far: value, range, whether it is open below and above, residual, figures compared.
    pub fn found(&self) -> Vec<f64> {
        self.0.found()
    }
}

/// Runs a benchmark workload for about so many events more; answers the events done, 0 for a name it does not know.
#[cfg(feature = "bench")]
#[wasm_bindgen(js_name = benchRun)]
pub fn bench_run(name: &str, events: f64) -> f64 {
    run::bench(name, events as u64)
}

/// Kills the module on purpose.
#[cfg(feature = "trap")]
#[wasm_bindgen]
pub fn trap() {
    panic!("a trap that a test asked for");
}
