//! Rows of instances with redo and writers as JSON.
use crate::estimate::{est, Est};
use serde::Serialize;
use wwi_model::report::databases as model;

#[cfg(feature = "typescript")]
use ts_rs::TS;

/// One figure of an instance with redo and writers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct DatabaseFigure {
    id: &'static str,
    unit: &'static str,
    value: Est,
}

/// An instance with redo and writers, counted from 1.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct DatabaseRow {
    instance: u32,
    figures: Vec<DatabaseFigure>,
}

impl DatabaseRow {
    /// As the model has it.
    pub(crate) fn of(row: &model::DatabaseRow) -> DatabaseRow {
        let figure = |f: &model::DatabaseFigure| DatabaseFigure { id: f.id, unit: f.unit, value: est(&f.value) };
        DatabaseRow { instance: row.instance, figures: row.figures.iter().map(figure).collect() }
    }
}
