//! `wwi fit`: one knob found from measured points.

use crate::compute::Bar;
use crate::input::scenario_text;
use crate::table::number;
use crate::Fault;
use std::path::Path;
use wwi_scenario::fit::{Asked, Fit, Fitted, Found, Point};
use wwi_scenario::number::plain;
use wwi_scenario::shown::line;
use wwi_scenario::value::quoted;

/// Events between two looks at the bar.
const SLICE: u64 = 500_000;
/// Longest file of points \[bytes\].
const MOST_BYTES: u64 = 100_000;

/// Which scenario, which knob, and what was measured.
#[derive(clap::Args)]
pub struct FitArguments {
    /// A preset, a link or a JSON file.
    scenario: String,
    /// The knob to find.
    #[arg(long, value_name = "KNOB")]
    free: String,
    /// A CSV file, or the same as a link has it: sessions/throughput_lio,16/8100000,32/15800000. The first column is a
    /// knob, the others are throughput_transactions, throughput_lio or response_mean_ms.
    #[arg(long, value_name = "FILE")]
    points: String,
    /// JSON.
    #[arg(long)]
    json: bool,
}

/// Tries values until the range is known, and prints it.
pub fn fit(arguments: &FitArguments) -> Result<String, Fault> {
    let query = scenario_text(&arguments.scenario)?;
    let rows = rows(&arguments.points)?;
    let (over, points) = points(&rows)?;
    let mut fit = Fit::new(Asked { query, over, free: arguments.free.clone(), points })?;
    let bar = Bar::new(1);
    let mut seen = 0;
    loop {
        let (is_done, tried, most) = fit.advance(SLICE);
        if is_done {
            break;
        }
        if tried != seen {
            seen = tried;
            bar.part(tried as f64 / most as f64, &format!("{tried} values tried"));
        }
    }
    bar.finish();
    if let Some(fault) = fit.fault() {
        return Err(vec![fault.to_owned()]);
    }
    let Some(found) = fit.found() else { return Err(vec!["no value could be tried".to_owned()]) };
    if arguments.json {
        return serde_json::to_string_pretty(&found).map(|json| json + "\n").map_err(|error| vec![error.to_string()]);
    }
    Ok(words(&found))
}

fn words(found: &Fitted) -> String {
    let Fitted { free, found, figures, tried } = found;
    let Found { value, low, high, residual, .. } = found;
    let ends = match (found.is_open_below, found.is_open_above) {
        (false, false) => format!("99 % range {} to {}", plain(*low), plain(*high)),
        (true, false) => format!("the points do not tell how small: up to {} fits", plain(*high)),
        (false, true) => format!("the points do not tell how large: from {} on fits", plain(*low)),
        (true, true) => "the points do not tell: all that was tried fits".to_owned(),
    };
    let percent = number(100.0 * residual);
    let value = plain(*value);
    format!(
        "{free} = {value}, {ends}\nresidual {percent} % over {figures} figures, {tried} values tried\n\
         An input from now on: these points were used to find it and check nothing. Take it with --set {free}={value}\n"
    )
}

/// Header and lines, cell by cell.
fn rows(text: &str) -> Result<Vec<Vec<String>>, Fault> {
    let path = Path::new(text);
    if !path.is_file() {
        if text.contains('/') && text.contains(',') {
            return Ok(text.split(',').map(|line| line.split('/').map(str::to_owned).collect()).collect());
        }
        return Err(vec![format!("--points {}: there is no such file", line(text, 200))]);
    }
    let told = |error: &dyn std::fmt::Display| vec![format!("--points {}: {error}", line(text, 200))];
    if path.metadata().map_err(|error| told(&error))?.len() > MOST_BYTES {
        return Err(told(&format!("the file has more than {MOST_BYTES} bytes")));
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).trim(csv::Trim::All).from_path(path);
    let records = reader.as_mut().map_err(|error| told(error))?.records();
    let lines: Result<Vec<Vec<String>>, csv::Error> =
        records.map(|record| record.map(|cells| cells.iter().map(str::to_owned).collect())).collect();
    lines.map_err(|error| told(&error))
}

/// The knob of the points, and the points.
fn points(rows: &[Vec<String>]) -> Result<(String, Vec<Point>), Fault> {
    let (Some(head), lines) = (rows.first(), rows.get(1..).unwrap_or_default()) else {
        return Err(vec!["--points: there is no header".to_owned()]);
    };
    let (Some(over), figures) = (head.first(), head.get(1..).unwrap_or_default()) else {
        return Err(vec!["--points: the header names a knob and what was measured".to_owned()]);
    };
    let mut points = Vec::new();
    let mut faults = Fault::new();
    for (count, cells) in lines.iter().enumerate() {
        match point(cells, figures) {
            Ok(point) => points.push(point),
            Err(words) => faults.push(format!("--points, line {}: {words}", count + 2)),
        }
    }
    if faults.is_empty() {
        Ok((over.clone(), points))
    } else {
        Err(faults)
    }
}

fn point(cells: &[String], figures: &[String]) -> Result<Point, String> {
    if cells.len() != figures.len() + 1 {
        return Err(format!("{} values for {} columns", cells.len(), figures.len() + 1));
    }
    let read = |cell: &str| cell.parse::<f64>().map_err(|_| format!("{} is no number", quoted(cell)));
    let mut point = Point { at: read(&cells[0])?, ..Point::default() };
    for (cell, figure) in cells[1..].iter().zip(figures) {
        let value = if cell.is_empty() { None } else { Some(read(cell)?) };
        match figure.as_str() {
            "throughput_transactions" => point.transactions_per_s = value,
            "throughput_lio" => point.lio_per_s = value,
            "response_mean_ms" => point.response_ms = value,
            other => {
                return Err(format!(
                    "{} is not measured: write throughput_transactions, throughput_lio or response_mean_ms",
                    quoted(other)
                ))
            }
        }
    }
    Ok(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_as_a_link_has_them() {
        let text = "sessions/throughput_lio/response_mean_ms,16/8100000/,32/15800000/2.5";
        let (over, points) = points(&rows(text).expect("rows")).expect("points");
        assert_eq!(over, "sessions");
        assert_eq!((points[0].at, points[0].lio_per_s, points[0].response_ms), (16.0, Some(8.1e6), None));
        assert_eq!((points[1].at, points[1].response_ms, points[1].transactions_per_s), (32.0, Some(2.5), None));
    }

    #[test]
    fn what_is_wrong_with_points_is_told_by_line() {
        let told = |text: &str| rows(text).and_then(|rows| points(&rows)).expect_err(text).join("; ");
        assert_eq!(told("sessions/throughput_lio,16"), "--points, line 2: 1 values for 2 columns");
        assert!(told("sessions/tps,16/1").contains("“tps” is not measured: write throughput_transactions"));
        assert_eq!(told("sessions/throughput_lio,16/1,x/2"), "--points, line 3: “x” is no number");
        assert!(told("nothing.csv").contains("there is no such file"));
    }
}
