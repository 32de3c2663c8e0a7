//! Means with half-widths, warm-up, and the quantiles of Student's t.

/// Two-sided 95 % quantiles of Student's t for 1 to 30 degrees of freedom (NIST/SEMATECH e-Handbook, 1.3.6.7.2).
const T95: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The factor that makes a standard error a 95 % half-width. Beyond the table: the Cornish-Fisher expansion, within 0.001.
pub fn t95(degrees: usize) -> f64 {
    match degrees {
        0 => f64::INFINITY,
        1..=30 => T95[degrees - 1],
        n => {
            let (z, n) = (1.959_964_f64, n as f64);
            z + (z.powi(3) + z) / (4.0 * n) + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n * n)
        }
    }
}

/// Mean; zero without values.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.iter().sum::<f64>() / values.len() as f64
}

/// Unbiased variance; `None` for fewer than two values.
pub fn variance(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let m = mean(values);
    Some(values.iter().map(|v| (v - m) * (v - m)).sum::<f64>() / (values.len() - 1) as f64)
}

/// 95 % half-width of the mean of independent values; `None` for fewer than two.
pub fn half_width(values: &[f64]) -> Option<f64> {
    variance(values).map(|v| t95(values.len() - 1) * (v / values.len() as f64).sqrt())
}

/// How much of the least squared standard error a shorter cut may cost: 5 % of the standard error itself.
const MSER_SLACK: f64 = 1.1;

/// MSER-5 (White, Cobb and Spratt 2000): how many leading values to cut so that the rest has the smallest standard error
/// of its mean, looking at groups of five. The statistic is flat and noisy on a level series, so the earliest cut that comes
/// within [`MSER_SLACK`] of the least is taken. At most half of the series; zero for a constant or short series.
pub fn mser5(series: &[f64]) -> usize {
    let groups: Vec<f64> = series.chunks_exact(5).map(mean).collect();
    let n = groups.len();
    let scale = groups.iter().fold(0.0, |s: f64, v| s.max(v.abs()));
    let (mut sum, mut squares) = (0.0, 0.0);
    // From the last group to the first: the squared standard error of all that follow.
    let mut errors = vec![f64::INFINITY; n];
    for (left, &value) in groups.iter().enumerate().rev() {
        let value = if scale > 0.0 { value / scale } else { 0.0 };
        sum += value;
        squares += value * value;
        let kept = (n - left) as f64;
        if left <= n / 2 && kept >= 2.0 {
            errors[left] = (squares - sum * sum / kept).max(0.0) / (kept * kept);
        }
    }
    let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
    let rounding = 1e-15;
    errors.iter().position(|&e| e <= MSER_SLACK * least + rounding).map_or(0, |left| left * 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t_falls_to_the_normal_quantile_without_a_step() {
        assert_eq!(t95(7), 2.365);
        assert!((t95(31) - 2.0395).abs() < 0.001);
        assert!((t95(120) - 1.9799).abs() < 0.001);
        assert!((1..200).all(|n| t95(n) > t95(n + 1)));
    }

    #[test]
    fn half_width_of_four_numbers() {
        // mean 2.5, s = sqrt(5/3), t(3) = 3.182
        let expected = 3.182 * (5.0_f64 / 3.0 / 4.0).sqrt();
        assert!((half_width(&[1.0, 2.0, 3.0, 4.0]).unwrap() - expected).abs() < 1e-12);
        assert_eq!(half_width(&[1.0]), None);
    }

    #[test]
    fn mser_cuts_the_ramp_and_leaves_a_level_series_alone() {
        let mut ramp: Vec<f64> = (0..40).map(|i| f64::from(i) / 40.0).collect();
        ramp.extend((0..160).map(|i| if i % 2 == 0 { 0.99 } else { 1.01 }));
        let cut = mser5(&ramp);
        assert!((35..=45).contains(&cut), "{cut}");
        assert_eq!(mser5(&[3.0; 100]), 0);
        assert_eq!(mser5(&[1.0, 2.0]), 0);
    }

    /// Ten groups at 1 + d, then 90 that are 0 and 2 by turns. With j of the ten left the squared deviations from the mean
    /// are 90 + d^2 90 j / (90 + j), and the squared standard error is that over (90 + j)^2.
    #[test]
    fn the_earliest_cut_costs_at_most_a_tenth_of_the_squared_standard_error() {
        for ratio in [0.9, 1.05, 1.15, 2.0, 3.9, 10.0] {
            let d = (10.0 * (ratio / 0.81 - 1.0_f64)).sqrt();
            let error = |left: f64| (90.0 + d * d * 90.0 * left / (90.0 + left)) / (90.0 + left).powi(2);
            assert!((error(10.0) / error(0.0) - ratio).abs() < 1e-9, "what the ratio says");
            let mut series = vec![1.0 + d; 50];
            (0..90).for_each(|group| series.extend([if group % 2 == 0 { 0.0 } else { 2.0 }; 5]));
            let least = (0..=10).map(|left| error(f64::from(left))).fold(f64::INFINITY, f64::min);
            let cut = (0..=10).find(|&cut| error(f64::from(10 - cut)) <= 1.1 * least).expect("one is the least");
            assert_eq!(mser5(&series), 5 * cut as usize, "{ratio}");
        }
    }
}
