//! Two scenarios beside each other: what the one does, what the other, and their difference start by start.
use crate::table::{ci, number, Table};
use wwi_model::experiment::pair::difference;
use wwi_model::report::{Estimate, Report};
use wwi_scenario::metrics::Metric;

/// A row: its title, the unit with how many of the model's make one, both values.
type Row = (String, (&'static str, f64), [Option<Estimate>; 2]);

fn rows(reports: [&Report; 2], figure: Option<(&Metric, [Option<f64>; 2])>, grows: bool) -> Vec<Row> {
    let mut rows: Vec<Row> = vec![
        ("Logical reads".to_owned(), ("M/s", 1e6), reports.map(|of| Some(of.lio_per_s.clone()))),
        ("Transactions".to_owned(), ("/s", 1.0), reports.map(|of| Some(of.transactions_per_s.clone()))),
        ("Response time".to_owned(), ("ms", 1.0), reports.map(|of| (!grows).then(|| of.response.mean_ms.clone()))),
    ];
    if let Some((metric, sessions)) = figure {
        let read = |at: usize| metric.read(reports[at], sessions[at]);
        rows.push((metric.title.to_owned(), (metric.unit, 1.0), [read(0), read(1)]));
    }
    rows
}

/// A table of both and of their difference, with its interval over pairs of starts that draw the same numbers; in per
/// cent, too, where the other is not zero and the figure is none of per cent itself. Where a queue grows there is no
/// response time to compare.
pub fn page(query: &str, reports: [&Report; 2], figure: Option<(&Metric, [Option<f64>; 2])>, grows: bool) -> String {
    let mut table = Table::new(&["<", ">", ">", ">", ">", "<"]);
    table.row(["", "This", "Against", "Difference", "", ""].map(str::to_owned));
    table.rule();
    for (title, (unit, scale), values) in rows(reports, figure, grows) {
        let [Some(this), Some(other)] = values else { continue };
        let with = |mean: f64, half: Option<f64>| format!("{}{}", number(mean / scale), ci(half.map(|of| of / scale)));
        let by = difference(&this, &other);
        let of = |value: f64| 100.0 * value / other.mean;
        // Per cent of per cent would be taken for points.
        let percent = match other.mean == 0.0 || unit == "%" {
            true => String::new(),
            false => format!("{}{} %", number(of(by.mean)), ci(by.ci95.map(of))),
        };
        table.row([
            title,
            with(this.mean, this.ci95),
            with(other.mean, other.ci95),
            with(by.mean, by.ci95),
            percent,
            unit.to_owned(),
        ]);
    }
    format!("Against {query}\n{}", table.render())
}
