//! The decoder on any text: a valid scenario that reads back the same, or clear messages; never a panic.
//!
//! `cargo +nightly fuzz run decode` in `sim-wasm/`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wwi_scenario::canonical::canonical;
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

fuzz_target!(|text: &str| match decode(text) {
    Ok(decoded) => {
        let config = to_config(&decoded.scenario);
        to_config(&decoded.compared);
        let line = canonical(&decoded.scenario);
        let again = decode(&line).unwrap_or_else(|problems| panic!("{line}: {problems:?}"));
        assert_eq!(to_config(&again.scenario), config, "{line}");
        assert_eq!(canonical(&again.scenario), line);
    }
    Err(problems) => {
        assert!(!problems.is_empty());
        assert!(problems.iter().all(|problem| !problem.message.chars().any(char::is_control)));
    }
});
