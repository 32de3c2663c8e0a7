//! A fit behind the border, in plain Rust types.

use wwi_scenario::fit::{Asked, Fit};
use wwi_scenario::json::{self, Json};

/// A fit on its way.
pub struct Fitting(Fit);

fn fault(message: &str) -> String {
    let member = |text: &str| Json::from(text);
    json::to_string(&Json::object(&[("code", member("scenario")), ("message", member(message)), ("field", Json::Null)]))
}

impl Fitting {
    /// Reads what is asked (JSON); the fault is JSON text.
    pub fn new(query: &str, asked: &str) -> Result<Fitting, String> {
        let fit = Asked::from_json(query, asked).and_then(Fit::new);
        fit.map(Fitting).map_err(|faults| fault(&faults.join("\n")))
    }

    /// Tries values for about so many events: done (0 or 1), values tried, how many are tried at most.
    pub fn advance(&mut self, max_events: f64) -> Result<Vec<f64>, String> {
        let (is_done, tried, most) = self.0.advance(max_events.clamp(1.0, 1e12) as u64);
        match self.0.fault() {
            Some(words) => Err(fault(words)),
            None => Ok(vec![f64::from(u8::from(is_done)), tried as f64, most as f64]),
        }
    }

    /// What is found so far, as JSON; `null` before a value was tried.
    pub fn found(&self) -> String {
        json::to_string(&self.0.found())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_goes_in_slices_and_tells_what_is_wrong() {
        let asked = "{\"over\":\"sessions\",\"free\":\"lio_us\",\
                     \"points\":[[2,null,1e6,null],[4,null,2e6,null],[6,null,3e6,null],[8,null,4e6,null]]}";
        let mut fit = Fitting::new("instance-caging-vm", asked).expect("a fit");
        assert_eq!(fit.found(), "null");
        let mut slices = 0;
        while fit.advance(5000.0).expect("no fault")[0] == 0.0 {
            slices += 1;
        }
        let found: serde_json::Value = serde_json::from_str(&fit.found()).expect("JSON");
        let value = found["value"].as_f64().expect("a number");
        assert!(slices > 3 && (1.5..2.5).contains(&value), "{slices} {found}");
        assert_eq!(found["free"], "lio_us");
        let told = Fitting::new("instance-caging-vm", "{}").err().expect("a fault");
        assert!(told.starts_with("{\"code\":\"scenario\"") && told.contains("fit: "), "{told}");
    }
}
