//! The long figures of a report as columns of numbers: active sessions over time, histograms, who ran where.

use serde::Serialize;
use wwi_kernel::order::sort_by_rank;
use wwi_model::report::{Distribution, Report};

/// Where one column stands among the numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Column {
    /// Name: `aas/CPU`, `histogram/run queue/edge_ms`, `histogram/clocked/log file sync/count`,
    /// `aas/node2/CPU`, `database1/room_mb`, `timeline/start_ms`.
    pub key: String,
    /// First number.
    pub offset: usize,
    /// How many.
    pub length: usize,
}

#[derive(Default)]
struct Table {
    columns: Vec<Column>,
    data: Vec<f64>,
}

impl Table {
    fn add(&mut self, key: String, values: impl IntoIterator<Item = f64>) {
        let offset = self.data.len();
        self.data.extend(values);
        self.columns.push(Column { key, offset, length: self.data.len() - offset });
    }

    fn histogram(&mut self, event: &str, durations: &[&Distribution]) {
        let (edges, counts) = edges_and_counts(durations);
        self.add(format!("histogram/{event}/edge_ms"), edges);
        self.add(format!("histogram/{event}/count"), counts.into_iter().map(|count| count as f64));
    }

    /// One of each name, of all rows that have it, in the order in which names come first.
    fn histograms(&mut self, prefix: &str, rows: &[(&str, &Distribution)]) {
        for (at, (name, _)) in rows.iter().enumerate() {
            if rows[..at].iter().all(|(other, _)| other != name) {
                let same = rows.iter().filter(|(other, _)| other == name);
                self.histogram(&[prefix, name].concat(), &same.map(|row| row.1).collect::<Vec<_>>());
            }
        }
    }
}

/// The sum of distributions as bucket edges \[ms\], one more than there are counts, and counts. Buckets between those
/// in use are one that counts nothing.
pub(crate) fn edges_and_counts(durations: &[&Distribution]) -> (Vec<f64>, Vec<u64>) {
    let mut buckets: Vec<(f64, f64, u64)> = durations
        .iter()
        .flat_map(|duration| &duration.buckets)
        .map(|&(low, high, n)| (low.max(0.0), high, n))
        .collect();
    // Positive floats order as their bits do, and equal edges are equal bits.
    sort_by_rank(&mut buckets, |&(low, ..)| low.to_bits());
    let (mut edges, mut counts): (Vec<f64>, Vec<u64>) = (Vec::new(), Vec::new());
    let mut last = None;
    for (low, high, count) in buckets {
        if last == Some(low) {
            counts.last_mut().into_iter().for_each(|sum| *sum += count);
            continue;
        }
        last = Some(low);
        match edges.last() {
            Some(&end) if end < low => {
                counts.push(0);
                edges.push(low);
            }
            None => edges.push(low),
            _ => {}
        }
        counts.push(count);
        edges.push(high);
    }
    (edges, counts)
}

/// The directory and the numbers.
pub fn columns(report: &Report) -> (Vec<Column>, Vec<f64>) {
    let mut table = Table::default();
    let buckets = report.series.classes.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    table.add("aas/time_s".to_owned(), (0..buckets).map(|bucket| bucket as f64 * report.series.bucket_s));
    for (class, values) in &report.series.classes {
        table.add(format!("aas/{class}"), values.iter().copied());
    }
    for (node, classes) in report.series.nodes.iter().enumerate() {
        for (class, values) in classes {
            table.add(format!("aas/node{}/{class}", node + 1), values.iter().copied());
        }
    }
    let waits = report.waits.iter().chain(&report.on_cpu).map(|row| (row.event, &row.duration));
    table.histograms("", &waits.collect::<Vec<_>>());
    let clocked = report.waits.iter().map(|row| (row.event, &row.clocked));
    table.histograms("clocked/", &clocked.collect::<Vec<_>>());
    table.histogram("transaction", &[&report.response]);
    delays(report, &mut table);
    for moments in &report.chronicles {
        for (name, values) in &moments.columns {
            table.add(format!("database{}/{name}", moments.instance), values.iter().copied());
        }
    }
    timeline(report, &mut table);
    (table.columns, table.data)
}

/// Dispatch delays by process kind, and the response of the servers.
fn delays(report: &Report, table: &mut Table) {
    let delays = report.processes.iter().filter(|row| row.dispatch_delay.count > 0);
    table.histograms("dispatch delay/", &delays.map(|row| (row.kind, &row.dispatch_delay)).collect::<Vec<_>>());
    if !report.services.is_empty() {
        table.histogram("service", &report.services.iter().map(|row| &row.response).collect::<Vec<_>>());
    }
}

/// Process kinds in the recording, each once.
pub(crate) fn kinds(report: &Report) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for kind in &report.timeline.kinds {
        if !kinds.contains(kind) {
            kinds.push(*kind);
        }
    }
    kinds
}

fn timeline(report: &Report, table: &mut Table) {
    let slices = &report.timeline.slices;
    if !slices.is_empty() {
        let thread = |t: u16| if t == u16::MAX { -1.0 } else { f64::from(t) };
        table.add("timeline/process".to_owned(), slices.iter().map(|s| f64::from(s.process)));
        table.add("timeline/activity".to_owned(), slices.iter().map(|s| f64::from(s.activity)));
        table.add("timeline/thread".to_owned(), slices.iter().map(|s| thread(s.thread)));
        table.add("timeline/start_ms".to_owned(), slices.iter().map(|s| s.start_ms));
        table.add("timeline/end_ms".to_owned(), slices.iter().map(|s| s.end_ms));
        table.add("timeline/debt_ms".to_owned(), slices.iter().map(|s| s.debt_ms));
        let kinds = kinds(report);
        let index = |kind: &&str| kinds.iter().position(|known| known == kind).unwrap_or(0) as f64;
        table.add("timeline/kind".to_owned(), report.timeline.kinds.iter().map(index));
        if report.nodes.len() > 1 {
            table.add("timeline/node".to_owned(), report.timeline.nodes.iter().map(|&node| node as f64));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wwi_model::report::WaitRow;

    fn wait(event: &'static str, [buckets, clocked]: [Vec<(f64, f64, u64)>; 2]) -> WaitRow {
        WaitRow {
            event,
            class: "Scheduler",
            process_kind: "session",
            duration: Distribution { buckets, ..Distribution::default() },
            clocked: Distribution { buckets: clocked, ..Distribution::default() },
            aas: wwi_model::report::Estimate::default(),
            clocked_aas: wwi_model::report::Estimate::default(),
            db_time_pct: None,
        }
    }

    #[test]
    fn gaps_are_filled_and_equal_events_added() {
        let report = Report {
            waits: vec![
                wait("latch", [vec![(1.0, 2.0, 3), (4.0, 5.0, 1)], vec![(4.0, 5.0, 4)]]),
                wait("latch", [vec![(0.0, 1.0, 2), (1.0, 2.0, 1)], vec![(1.0, 2.0, 3)]]),
            ],
            ..Report::default()
        };
        let (columns, data) = columns(&report);
        let shown: Vec<String> = columns
            .iter()
            .map(|column| format!("{} {:?}", column.key, &data[column.offset..column.offset + column.length]))
            .collect();
        assert_eq!(
            shown.join("\n"),
            "aas/time_s []\n\
             histogram/latch/edge_ms [0.0, 1.0, 2.0, 4.0, 5.0]\n\
             histogram/latch/count [2.0, 4.0, 0.0, 1.0]\n\
             histogram/clocked/latch/edge_ms [1.0, 2.0, 4.0, 5.0]\n\
             histogram/clocked/latch/count [3.0, 0.0, 4.0]\n\
             histogram/transaction/edge_ms []\n\
             histogram/transaction/count []"
        );
    }
}
