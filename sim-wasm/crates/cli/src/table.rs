//! Text tables and numbers for people: three significant digits, thousands commas, units that fit the size.

/// Rows of cells, aligned by column.
pub struct Table {
    /// `<` to the left, `>` to the right.
    align: Vec<&'static str>,
    rows: Vec<Option<Vec<String>>>,
}

impl Table {
    /// A table with these columns.
    pub fn new(align: &[&'static str]) -> Table {
        Table { align: align.to_vec(), rows: Vec::new() }
    }
    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(Some(cells.to_vec()));
    }
    /// Adds a line across.
    pub fn rule(&mut self) {
        self.rows.push(None);
    }
    /// The text, two spaces in front and between.
    pub fn render(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().flatten().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.align.len()).map(width).collect();
        let used = widths.iter().filter(|&&width| width > 0).count();
        let total = widths.iter().sum::<usize>() + 2 * used.saturating_sub(1);
        let mut out = String::new();
        for row in &self.rows {
            let mut line = String::new();
            match row {
                None => line.push_str(&"─".repeat(total)),
                Some(cells) => {
                    for ((cell, align), width) in cells.iter().zip(&self.align).zip(&widths) {
                        let gap = " ".repeat(width.saturating_sub(cell.chars().count()));
                        line += &if *align == ">" { format!("{gap}{cell}  ") } else { format!("{cell}{gap}  ") };
                    }
                }
            }
            out += &format!("  {}\n", line.trim_end());
        }
        out
    }
}

/// Three significant digits at least, no exponent, thousands commas, a true minus.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let text = if size >= 1000.0 {
        thousands(value)
    } else if size >= 100.0 {
        format!("{value:.1}")
    } else if size >= 1.0 || size == 0.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.*}", (2.0 - size.log10().floor()).clamp(4.0, 12.0) as usize)
    };
    text.replace('-', "−")
}

/// A whole number with commas.
pub fn thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut out = String::new();
    for (count, digit) in digits.chars().enumerate() {
        if count > 0 && (digits.len() - count) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if value <= -0.5 {
        format!("−{out}")
    } else {
        out
    }
}

/// A time in the unit that fits.
pub fn time_ms(ms: f64) -> String {
    if ms >= 1000.0 {
        format!("{} s", number(ms / 1000.0))
    } else if ms >= 1.0 || ms == 0.0 {
        format!("{} ms", number(ms))
    } else {
        format!("{} µs", number(ms * 1000.0))
    }
}

/// A percentile with its interval, in one unit; `about` where there is none.
pub fn percentile_ms(ms: f64, half: Option<f64>) -> String {
    let told = time_ms(ms);
    let (value, unit) = told.split_once(' ').unwrap_or((&told, ""));
    let unit_ms = match unit {
        "s" => 1e3,
        "ms" => 1.0,
        _ => 1e-3,
    };
    half.map_or_else(|| format!("about {told}"), |half| format!("{value} ±{} {unit}", number(half / unit_ms)))
}

/// ` ±0.5`, or nothing where there is no interval.
pub fn ci(half: Option<f64>) -> String {
    half.map(|half| format!(" ±{}", number(half))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(
            [number(3_391_234.0), number(340.04), number(3.3912), number(0.01234), number(-1.5), number(1.82e-5)]
                .join(" "),
            "3,391,234 340.0 3.39 0.0123 −1.50 0.0000182"
        );
        assert_eq!(percentile_ms(3420.0, Some(50.0)), "3.42 ±0.0500 s");
        assert_eq!(percentile_ms(0.057, None), "about 57.00 µs");
        assert_eq!([time_ms(3420.0), time_ms(23.75), time_ms(0.057)].join(" "), "3.42 s 23.75 ms 57.00 µs");
    }

    #[test]
    fn columns_align() {
        let mut table = Table::new(&["<", ">"]);
        table.row(["Event".to_owned(), "Waits".to_owned()]);
        table.rule();
        table.row(["µ".to_owned(), "12".to_owned()]);
        assert_eq!(table.render(), "  Event  Waits\n  ────────────\n  µ         12\n");
    }
}
