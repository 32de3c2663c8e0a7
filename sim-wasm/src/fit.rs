//! A fit behind the border, in plain Rust types.

use crate::run::fault;
use wwi_scenario::fit::{Asked, Fit};

/// A fit on its way.
pub struct Fitting(Fit);

impl Fitting {
    /// Reads scenario, knobs and points ([`Asked::new`]); the fault is JSON text.
    pub fn new(query: &str, over: &str, free: &str, points: &[f64]) -> Result<Fitting, String> {
        let fit = Fit::new(Asked::new(query, over, free, points));
        fit.map(Fitting).map_err(|faults| fault("scenario", &faults.join("\n"), None))
    }

    /// Tries values for about so many events: done (0 or 1), values tried, how many are tried at most.
    pub fn advance(&mut self, max_events: f64) -> Result<Vec<f64>, String> {
        let (is_done, tried, most) = self.0.advance(max_events as u64);
        match self.0.fault() {
            Some(words) => Err(fault("scenario", words, None)),
            None => Ok(vec![f64::from(u8::from(is_done)), tried as f64, most as f64]),
        }
    }

    /// What is found so far: the value, both ends of its range, whether it is open below and above (0 or 1), the
    /// residual, figures compared; empty before a value was tried.
    pub fn found(&self) -> Vec<f64> {
        self.0.found().map_or(Vec::new(), |fitted| {
            let found = fitted.found;
            let flag = |is_open: bool| f64::from(u8::from(is_open));
            let (below, above) = (flag(found.is_open_below), flag(found.is_open_above));
            vec![found.value, found.low, found.high, below, above, found.residual, fitted.figures as f64]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_goes_in_slices_and_tells_what_is_wrong() {
        let points: Vec<f64> = [(2.0, 1e6), (4.0, 2e6), (6.0, 2.6e6), (8.0, 3e6)]
            .iter()
            .flat_map(|&(at, lio)| [at, f64::NAN, lio, f64::NAN])
            .collect();
        let mut fit = Fitting::new("instance-caging-vm", "sessions", "lio_us", &points).expect("a fit");
        assert!(fit.found().is_empty());
        let mut slices = 0;
        while fit.advance(5000.0).expect("no fault")[0] == 0.0 {
            slices += 1;
        }
        let [value, low, high, below, above, residual, figures] = fit.found()[..] else { panic!("{:?}", fit.found()) };
        assert!(
            slices > 3 && low < value && value < high && (1.5..2.5).contains(&value),
            "{slices} {low} {value} {high}"
        );
        assert!((below, above, figures) == (0.0, 0.0, 4.0) && residual > 0.0, "{below} {above} {figures} {residual}");
        let told = Fitting::new("instance-caging-vm", "sessions", "lio_us", &points[..4]).err().expect("a fault");
        assert!(told.starts_with("{\"code\":\"scenario\"") && told.contains("not 1"), "{told}");
    }
}
