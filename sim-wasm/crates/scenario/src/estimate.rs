//! Estimates as JSON.
use serde::Serialize;
use wwi_model::report as model;

#[cfg(feature = "typescript")]
use ts_rs::TS;

/// A mean with its 95 % half-width and one mean per replication; replications pair between scenarios.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Est {
    mean: f64,
    ci95: Option<f64>,
    reps: Vec<f64>,
}

pub(crate) fn est(estimate: &model::Estimate) -> Est {
    Est { mean: estimate.mean, ci95: estimate.ci95, reps: estimate.reps.clone() }
}
