//! Means with half-widths, warm-up, and the quantiles of Student's t.

/// Two-sided 95 % quantiles of Student's t for 1 to 30 degrees of freedom (NIST/SEMATECH e-Handbook, 1.3.6.7.2).
const T95: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The same for 99 %.
const T99: [f64; 30] = [
    63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169, 3.106, 3.055, 3.012, 2.977, 2.947, 2.921,
    2.898, 2.878, 2.861, 2.845, 2.831, 2.819, 2.807, 2.797, 2.787, 2.779, 2.771, 2.763, 2.756, 2.750,
];

/// The factor that makes a standard error a 95 % half-width. Beyond the table: the Cornish-Fisher expansion, within
/// 0.001.
pub fn t95(degrees: usize) -> f64 {
    student(degrees, &T95, 1.959_964)
}

/// The same for 99 %, within 0.002 beyond the table.
pub fn t99(degrees: usize) -> f64 {
    student(degrees, &T99, 2.575_829)
}

/// A quantile by its table and that of the normal distribution.
fn student(degrees: usize, table: &[f64; 30], z: f64) -> f64 {
    match degrees {
        0 => f64::INFINITY,
        1..=30 => table[degrees - 1],
        n => {
            let n = n as f64;
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

/// The same for 99 %.
pub fn half_width_99(values: &[f64]) -> Option<f64> {
    variance(values).map(|v| t99(values.len() - 1) * (v / values.len() as f64).sqrt())
}

/// A ratio of sums over independent pairs, with what each pair says of it: values that scatter as the ratio does and
/// whose mean it is (to first order: `r + (up - r under) / mean of under`). So an interval of their mean is one of the
/// pooled ratio, and two ratios over the same pairs can be compared pair by pair. `None` where the lower sum is zero.
pub fn ratio(pairs: &[(f64, f64)]) -> Option<(f64, Vec<f64>)> {
    let (up, under) = pairs.iter().fold((0.0, 0.0), |(up, under), p| (up + p.0, under + p.1));
    if under <= 0.0 {
        return None;
    }
    let (ratio, mean) = (up / under, under / pairs.len() as f64);
    Some((ratio, pairs.iter().map(|p| ratio + (p.0 - ratio * p.1) / mean).collect()))
}

/// Standard errors beyond which a correlation is no chance: of series without any one of a hundred comes so far above
/// zero, and one so far below.
const ONE_IN_A_HUNDRED: f64 = 2.33;

/// The correlation of neighbours in these series of equal length, each about its own mean, where it is more than chance
/// allows (Bartlett's standard error); zero where it is not, and for fewer than three values a series.
pub fn neighbours(series: &[Vec<f64>]) -> f64 {
    let length = series.iter().map(Vec::len).min().unwrap_or(0);
    let (mut products, mut squares) = (0.0, 0.0);
    for values in series {
        let m = mean(values);
        squares += values.iter().map(|v| (v - m) * (v - m)).sum::<f64>();
        products += values.windows(2).map(|w| (w[0] - m) * (w[1] - m)).sum::<f64>();
    }
    if length < 3 || squares <= 0.0 {
        return 0.0;
    }
    // About its own mean, a short series of independent values is expected at -1/length.
    let found = products / squares + 1.0 / length as f64;
    let count = (length * series.len()) as f64;
    if found.abs() > ONE_IN_A_HUNDRED / count.sqrt() {
        found
    } else {
        0.0
    }
}

/// How much of the least squared standard error a shorter cut may cost: 5 % of the standard error itself.
const MSER_SLACK: f64 = 1.1;

/// MSER-5 (White, Cobb and Spratt 2000): how many leading values to cut so that the rest has the smallest standard
/// error of its mean, looking at groups of five. The statistic is flat and noisy on a level series, so the earliest cut
/// that comes within [`MSER_SLACK`] of the least is taken. At most half of the series; zero for a constant or short
/// series.
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

/// Mean wait in M/M/c, in services: ρ^(√(2(c+1)) − 1) / (c (1 − ρ)), exact for one server (Sakasegawa 1977).
pub fn mean_wait(utilisation: f64, servers: f64) -> f64 {
    let power = libm::exp(((2.0 * (servers + 1.0)).sqrt() - 1.0) * libm::log(utilisation));
    power / (servers * (1.0 - utilisation))
}

/// Probability that a customer of M/M/c waits (A. K. Erlang), `servers` whole.
pub fn erlang_c(servers: f64, utilisation: f64) -> f64 {
    let offered = servers * utilisation;
    let (mut term, mut sum, mut k) = (1.0, 0.0, 0.0);
    while k < servers {
        sum += term;
        k += 1.0;
        term *= offered / k;
    }
    let all = term / (1.0 - utilisation);
    all / (sum + all)
}

/// Quantile `q` of the response in M/M/c, first come first served, in services: the service alone, or after an
/// exponential wait.
pub fn response_quantile(servers: f64, utilisation: f64, q: f64) -> f64 {
    let (waits, drain) = (erlang_c(servers, utilisation), servers * (1.0 - utilisation));
    let beyond = |t: f64| {
        let (service, queue) = (libm::exp(-t), libm::exp(-drain * t));
        // A wait and a service of the same mean: the sum of two exponential times.
        let after_wait =
            if (1.0 - drain).abs() < 1e-6 { (1.0 + t) * service } else { (queue - drain * service) / (1.0 - drain) };
        (1.0 - waits) * service + waits * after_wait
    };
    let (mut low, mut high) = (0.0, 1e6);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if beyond(middle) > 1.0 - q {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
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
        assert_eq!((t99(1), t99(11), t99(30)), (63.657, 3.106, 2.750));
        assert!((t99(31) - 2.744).abs() < 0.002 && (t99(120) - 2.617).abs() < 0.001);
        assert!((1..200).all(|n| t99(n) > t99(n + 1)));
    }

    #[test]
    fn half_width_of_four_numbers() {
        // mean 2.5, s = sqrt(5/3), t(3) = 3.182
        let expected = 3.182 * (5.0_f64 / 3.0 / 4.0).sqrt();
        assert!((half_width(&[1.0, 2.0, 3.0, 4.0]).unwrap() - expected).abs() < 1e-12);
        assert_eq!(half_width(&[1.0]), None);
    }

    #[test]
    fn a_ratio_is_pooled_and_its_values_average_to_it() {
        let (found, values) = ratio(&[(2.0, 1.0), (9.0, 3.0), (4.0, 2.0)]).unwrap();
        assert_eq!(found, 2.5);
        assert!((mean(&values) - 2.5).abs() < 1e-12);
        // 2.5 + (9 - 7.5) / 2
        assert_eq!(values[1], 3.25);
        assert_eq!(ratio(&[(1.0, 0.0)]), None);
        assert_eq!(ratio(&[]), None);
    }

    #[test]
    fn a_walk_resembles_itself_noise_does_not_and_a_saw_is_its_own_contrary() {
        let mut stream = crate::rng::Stream::new(3, 0, "test", 0, "noise");
        let mut noise = |keep: f64| -> Vec<f64> {
            let mut x = 0.0;
            (0..8)
                .map(|_| {
                    x = keep * x + stream.uniform() - 0.5;
                    x
                })
                .collect()
        };
        let mut share = |keep: f64| {
            let runs = (0..2000).filter(|_| neighbours(&(0..8).map(|_| noise(keep)).collect::<Vec<_>>()) > 0.0).count();
            runs as f64 / 2000.0
        };
        let (none, some) = (share(0.0), share(0.7));
        assert!((0.002..0.03).contains(&none), "{none}");
        assert!(some > 0.8, "{some}");
        assert_eq!(neighbours(&[vec![1.0; 8], vec![2.0; 8]]), 0.0, "no spread");
        assert_eq!(neighbours(&[vec![1.0, 2.0]]), 0.0, "too short to tell");
        assert!(neighbours(&vec![[1.0, 2.0].repeat(8); 4]) < -0.8);
    }

    #[test]
    fn a_mean_wait_of_one_server_and_of_eight() {
        assert!((mean_wait(0.8, 1.0) - 4.0).abs() < 1e-12);
        // Erlang's C for 8 servers at 0.9 is 0.70153 (tables), so the wait is 0.877 of a service.
        assert!((mean_wait(0.9, 8.0) / 0.877 - 1.0).abs() < 0.02);
        assert!((erlang_c(8.0, 0.9) - 0.70153).abs() < 1e-5, "{}", erlang_c(8.0, 0.9));
        assert!((erlang_c(1.0, 0.6) - 0.6).abs() < 1e-12);
        // One server: exponential with mean 1 / (1 - 0.5).
        assert!((response_quantile(1.0, 0.5, 0.99) - 2.0 * libm::log(100.0)).abs() < 1e-9);
        assert!((response_quantile(8.0, 0.9, 0.99) - 7.0873).abs() < 1e-4, "{}", response_quantile(8.0, 0.9, 0.99));
        // Where the queue drains as fast as one serves, the neighbours on both sides say the same.
        for servers in [2.0, 4.0, 8.0] {
            let at = |utilisation: f64| response_quantile(servers, utilisation, 0.99);
            let even = 1.0 - 1.0 / servers;
            assert!((at(even) - (at(even - 1e-4) + at(even + 1e-4)) / 2.0).abs() < 1e-5, "{servers}: {}", at(even));
        }
    }

    #[test]
    fn mser_takes_the_earliest_cut_within_its_slack() {
        // Forty values that start 0.6 high among noise of +-1: a cut saves a little, and the first that saves enough is
        // taken.
        let level: Vec<f64> = (0..200).map(|i| if i % 2 == 0 { 9.0 } else { 11.0 }).collect();
        assert_eq!(mser5(&level), 0);
        let mut high: Vec<f64> = vec![30.0; 10];
        high.extend(&level);
        assert_eq!(mser5(&high), 10);
        let mut low: Vec<f64> = (0..20).map(|i| f64::from(i) / 2.0).collect();
        low.extend(&level);
        assert!((10..=20).contains(&mser5(&low)), "{}", mser5(&low));
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

    /// Ten groups at 1 + d, then 90 that are 0 and 2 by turns. With j of the ten left the squared deviations from the
    /// mean are 90 + d^2 90 j / (90 + j), and the squared standard error is that over (90 + j)^2.
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
