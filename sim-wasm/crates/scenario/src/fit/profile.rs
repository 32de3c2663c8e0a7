//! One unknown found by least squares: where the sum of squared residuals is least, and between which values it is
//! hardly larger. What is expensive is to learn the residuals at a value; so between two values at which they are known
//! each is taken to lie on a straight line, and [`Profile::wants`] names the value at which to learn them next.
//!
//! The range is the one by likelihood ratio for errors of equal, unknown variance (Bates and Watts, "Nonlinear
//! Regression Analysis", 1988, section 6.1): all values at which the sum exceeds the least one by at most t² times the
//! variance, t being Student's for one degree of freedom less than there are residuals.

use serde::Serialize;

/// Further apart than this, relative to the larger, is not near. Free; what lies between is interpolated.
const NEAR: f64 = 0.06;

/// Looked at up to so many times more or less than where it begins. Free.
const FAR: f64 = 64.0;

/// Values looked at most. Free.
const MOST: usize = 48;

/// Where the unknown may lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest value.
    pub least: f64,
    /// Largest value.
    pub most: f64,
    /// Only whole numbers.
    pub is_whole: bool,
}

/// The residuals at a value.
#[derive(Clone, Debug)]
struct Known {
    at: f64,
    residuals: Vec<f64>,
}

/// What the residuals say of the unknown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Found {
    /// Where the sum of squares is least.
    pub value: f64,
    /// Between these values it is hardly larger.
    pub low: f64,
    /// The other end.
    pub high: f64,
    /// The sum is hardly larger at the smallest value that was looked at, or that there is.
    pub is_open_below: bool,
    /// The same of the largest.
    pub is_open_above: bool,
    /// Root of the mean square of the residuals, by degrees of freedom.
    pub residual: f64,
}

/// What is known so far.
#[derive(Clone, Debug)]
pub struct Profile {
    bounds: Bounds,
    /// Ascending.
    known: Vec<Known>,
    /// Where there are none.
    excluded: Vec<f64>,
    /// By how much each residual is uncertain in itself, as a standard deviation.
    noise: f64,
    /// Student's t of the range.
    quantile: f64,
    first: f64,
}

/// The least sum of squares on the straight line between two sets of residuals, and where: a part of the way.
fn least_between(from: &[f64], to: &[f64]) -> (f64, f64) {
    let (along, squares) = line(from, to);
    let part = if squares > 0.0 { (-along / squares).clamp(0.0, 1.0) } else { 0.0 };
    (sum_at(from, to, part), part)
}

/// Of the way from one set of residuals to another: its product with the first, and its square.
fn line(from: &[f64], to: &[f64]) -> (f64, f64) {
    let ways = || from.iter().zip(to).map(|(a, b)| (a, b - a));
    (ways().map(|(a, way)| a * way).sum(), ways().map(|(_, way)| way * way).sum())
}

fn sum_at(from: &[f64], to: &[f64], part: f64) -> f64 {
    from.iter().zip(to).map(|(a, b)| a + part * (b - a)).map(|r| r * r).sum()
}

/// The first part of the way at which the sum of squares is not above `limit`, if it ever is not.
fn first_below(from: &[f64], to: &[f64], limit: f64) -> Option<f64> {
    let (along, squares) = line(from, to);
    let above = sum_at(from, to, 0.0) - limit;
    if above <= 0.0 {
        return Some(0.0);
    }
    let root = along * along - squares * above;
    let part = (-along - root.max(0.0).sqrt()) / squares;
    (squares > 0.0 && root >= 0.0 && (0.0..=1.0).contains(&part)).then_some(part)
}

/// With four digits, which is finer than any range is known.
pub fn rounded(value: f64) -> f64 {
    let (mut scale, mut power) = (1.0, 0);
    while value.abs() * scale < 1000.0 && power < 12 {
        scale *= 10.0;
        power += 1;
    }
    let mut unit = 1.0;
    while value.abs() >= 10_000.0 * unit {
        unit *= 10.0;
    }
    (value * scale / unit).round() / scale * unit
}

impl Profile {
    /// Nothing is known yet. `first`: where to begin; `noise`: standard deviation of each residual that is known
    /// beforehand; `quantile`: Student's t that the range is for.
    pub fn new(mut bounds: Bounds, first: f64, noise: f64, quantile: f64) -> Self {
        if first > 0.0 {
            bounds.most = bounds.most.min(rounded(first * FAR));
            bounds.least = if bounds.least > 0.0 { bounds.least.max(rounded(first / FAR)) } else { bounds.least };
        }
        Profile { bounds, known: Vec::new(), excluded: Vec::new(), noise, quantile, first }
    }

    /// Values above zero are looked for in steps of a factor.
    fn is_ratio(&self) -> bool {
        self.bounds.least >= 0.0
    }

    /// Between two values, near enough to one another for a straight line.
    fn between(from: f64, to: f64, part: f64) -> f64 {
        from + part * (to - from)
    }

    fn middle(&self, from: f64, to: f64) -> f64 {
        self.allowed(if from > 0.0 { (from * to).sqrt() } else { (from + to) / 2.0 })
    }

    /// Within the bounds, and whole where it has to be.
    fn allowed(&self, value: f64) -> f64 {
        let value = if self.bounds.is_whole { value.round() } else { rounded(value) };
        value.max(self.bounds.least).min(self.bounds.most)
    }

    /// The residuals at a value are these; there is at least one, and they are numbers.
    pub fn learn(&mut self, at: f64, residuals: Vec<f64>) {
        let place = self.known.partition_point(|known| known.at < at);
        self.known.insert(place, Known { at, residuals });
    }

    /// At this value there are none; beyond what is known, there are none further out, either.
    pub fn exclude(&mut self, at: f64) {
        self.excluded.push(at);
        let (first, last) = (self.known.first().map(|known| known.at), self.known.last().map(|known| known.at));
        match (first, last) {
            (_, Some(last)) if at > last => self.bounds.most = last,
            (Some(first), _) if at < first => self.bounds.least = first,
            _ => {}
        }
    }

    /// The residuals are at least so uncertain in themselves, as a standard deviation.
    pub fn is_noisy(&mut self, noise: f64) {
        self.noise = self.noise.max(noise);
    }

    fn knows(&self, value: f64) -> bool {
        self.excluded.contains(&value) || self.known.iter().any(|known| known.at == value)
    }

    /// Values looked at.
    pub fn looks(&self) -> usize {
        self.known.len()
    }

    /// Values looked at most.
    pub const fn most_looks() -> usize {
        MOST
    }

    /// Where to learn the residuals next; `None`: enough is known.
    pub fn wants(&self) -> Option<f64> {
        if self.known.len() >= MOST {
            return None;
        }
        self.start().or_else(|| self.further()).or_else(|| self.finer())
    }

    /// The first values: where to begin, and on both sides.
    fn start(&self) -> Option<f64> {
        let (first, step) = (self.first, self.step());
        let beside = if first > 0.0 { (first / 2.0, first * 2.0) } else { (first - step, first + step) };
        let values = [first, beside.0, beside.1].map(|value| self.allowed(value));
        values.into_iter().find(|&value| !self.knows(value))
    }

    /// Without a value to go by: a hundredth of what is allowed.
    fn step(&self) -> f64 {
        ((self.bounds.most - self.bounds.least) / 100.0).max(f64::from(u8::from(self.bounds.is_whole)))
    }

    /// Beyond the outermost values, while the range is open there.
    fn further(&self) -> Option<f64> {
        let found = self.found()?;
        let (first, last) = (self.known.first()?.at, self.known.last()?.at);
        let span = (last - first).max(self.step());
        // Three steps of halving lead to zero, where that is allowed.
        let is_close = first <= self.first / 8.0 || self.allowed(first / 2.0) == first;
        let lower = if is_close { self.bounds.least } else { first / 2.0 };
        let wider = match self.is_ratio() {
            true => (lower.max(self.bounds.least), (last * 2.0).max(span)),
            false => (first - span, last + span),
        };
        let below = (found.is_open_below || found.value <= first).then(|| self.allowed(wider.0));
        let above = (found.is_open_above || found.value >= last).then(|| self.allowed(wider.1));
        above.into_iter().chain(below).find(|&value| !self.knows(value))
    }

    /// Within what is not near around the least sum and the ends of the range.
    fn finer(&self) -> Option<f64> {
        let found = self.found()?;
        let low = (!found.is_open_below).then_some(found.low);
        let high = (!found.is_open_above).then_some(found.high);
        let best = low.or(high).map(|_| found.value);
        [best, low, high].into_iter().flatten().find_map(|place| {
            let pair = self.known.windows(2).find(|pair| pair[0].at <= place && place <= pair[1].at)?;
            let (from, to) = (pair[0].at, pair[1].at);
            let least = if self.is_ratio() { self.first / 8.0 } else { (self.bounds.most - self.bounds.least) / 6.0 };
            let is_near = to - from <= NEAR * to.max(least);
            let middle = self.middle(from, to);
            (!is_near && !self.knows(middle)).then_some(middle)
        })
    }

    /// What is known of the unknown; `None` before the residuals are known anywhere.
    pub fn found(&self) -> Option<Found> {
        let count = self.known.first()?.residuals.len();
        let (mut value, mut least) = (f64::NAN, f64::INFINITY);
        for known in &self.known {
            let sum = sum_at(&known.residuals, &known.residuals, 0.0);
            if sum < least {
                (value, least) = (known.at, sum);
            }
        }
        for pair in self.known.windows(2) {
            let (sum, part) = least_between(&pair[0].residuals, &pair[1].residuals);
            if sum < least {
                (value, least) = (Self::between(pair[0].at, pair[1].at, part), sum);
            }
        }
        let degrees = count.saturating_sub(1).max(1) as f64;
        let variance = (least / degrees).max(self.noise * self.noise);
        let limit = least + self.quantile * self.quantile * variance;
        let (low, is_open_below) = self.edge(limit, false);
        let (high, is_open_above) = self.edge(limit, true);
        let [value, low, high] = self.whole([value, low, high]);
        Some(Found { value, low, high, is_open_below, is_open_above, residual: (least / degrees).sqrt() })
    }

    /// Whole numbers within the range, where there are no others.
    fn whole(&self, [value, low, high]: [f64; 3]) -> [f64; 3] {
        if !self.bounds.is_whole {
            return [value, low, high];
        }
        let value = value.round();
        [value, low.ceil().min(value), high.floor().max(value)]
    }

    /// The outermost value at which the sum is not above the limit; whether that is the outermost that is known.
    fn edge(&self, limit: f64, is_above: bool) -> (f64, bool) {
        let mut known: Vec<&Known> = self.known.iter().collect();
        if is_above {
            known.reverse();
        }
        for pair in known.windows(2) {
            if let Some(part) = first_below(&pair[0].residuals, &pair[1].residuals, limit) {
                return (Self::between(pair[0].at, pair[1].at, part), part == 0.0 && pair[0].at == known[0].at);
            }
        }
        (known[known.len() - 1].at, known.len() == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wwi_kernel::rng::Stream;
    use wwi_kernel::stats::t99;

    fn solve(mut profile: Profile, residuals: impl Fn(f64) -> Vec<f64>) -> (Found, usize) {
        while let Some(at) = profile.wants() {
            profile.learn(at, residuals(at));
        }
        (profile.found().expect("values were learnt"), profile.looks())
    }

    const POSITIVE: Bounds = Bounds { least: 1e-3, most: 1e6, is_whole: false };

    /// Residuals on a straight line: everything is known in closed form.
    #[test]
    fn a_straight_line_has_its_value_and_range_in_closed_form() {
        let noise = [0.02, -0.01, 0.015, -0.03, 0.01, 0.0, -0.02, 0.03, -0.015, 0.01, -0.01, 0.0];
        // All points say the same of the unknown, 40, but for their noise: its mean decides.
        let residuals = |theta: f64| noise.iter().map(|e| theta / 40.0 - 1.0 - e).collect::<Vec<f64>>();
        let (found, looks) = solve(Profile::new(POSITIVE, 3.0, 0.0, t99(11)), residuals);
        let mean = noise.iter().sum::<f64>() / 12.0;
        let spread = noise.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / 11.0;
        let half = t99(11) * (spread / 12.0).sqrt();
        for (is, wanted) in [
            (found.value, 40.0 * (1.0 + mean)),
            (found.low, 40.0 * (1.0 + mean - half)),
            (found.high, 40.0 * (1.0 + mean + half)),
            (found.residual, spread.sqrt()),
        ] {
            assert!((is / wanted - 1.0).abs() < 1e-9, "{is} for {wanted}");
        }
        assert!(looks < 20, "{looks}");
    }

    /// Twelve points with 2 % noise on a curve that bends, 400 times: the range holds the truth as often as it says.
    #[test]
    fn the_range_holds_the_truth_in_99_of_100() {
        let mut random = Stream::new(5, 0, "test", 0, "profile");
        let curve = |theta: f64, x: f64| x / (theta + x);
        let (mut inside, mut widest) = (0, 0.0_f64);
        for _ in 0..400 {
            let mut normal = || (0..12).map(|_| random.uniform()).sum::<f64>() - 6.0;
            let measured: Vec<f64> = (1..=12).map(|x| curve(7.0, f64::from(x)) * (1.0 + 0.02 * normal())).collect();
            let residuals =
                |theta: f64| (1..=12).map(|x| curve(theta, f64::from(x)) / measured[x as usize - 1] - 1.0).collect();
            let (found, _) = solve(Profile::new(POSITIVE, 2.0, 0.0, t99(11)), residuals);
            inside += u32::from(found.low <= 7.0 && 7.0 <= found.high);
            widest = widest.max(found.high / found.low - 1.0);
        }
        assert!((390..=400).contains(&inside), "{inside} of 400");
        assert!(widest < 0.2, "{widest}");
    }

    #[test]
    fn points_that_do_not_tell_leave_the_range_open() {
        let bounds = Bounds { least: 0.0, most: 500.0, is_whole: false };
        let (found, looks) = solve(Profile::new(bounds, 20.0, 0.0, t99(4)), |_| vec![0.01, -0.02, 0.0, 0.01, 0.0]);
        assert!(found.is_open_below && found.is_open_above, "{found:?}");
        assert_eq!((found.low, found.high), (0.0, 500.0));
        assert!(looks < 20, "{looks}");
        // Above 30 all is alike: open on that side only.
        let (found, _) = solve(Profile::new(bounds, 20.0, 0.0, t99(2)), |at| {
            let off = (30.0 - at).max(0.0) / 30.0;
            vec![off + 0.001, off - 0.001, off]
        });
        assert!(!found.is_open_below && found.is_open_above && found.low > 25.0, "{found:?}");
    }

    #[test]
    fn whole_numbers_stay_whole_and_noise_that_is_known_widens() {
        let bounds = Bounds { least: 1.0, most: 10_000.0, is_whole: true };
        let at_37 = |at: f64| vec![at / 37.0 - 1.0, (at / 37.0 - 1.0) * 0.5];
        let (found, _) = solve(Profile::new(bounds, 3.0, 0.0, t99(1)), at_37);
        assert_eq!((found.value, found.low, found.high), (37.0, 37.0, 37.0));
        let (found, _) = solve(Profile::new(bounds, 3.0, 0.001, t99(1)), at_37);
        assert!(found.low < 37.0 && found.high > 37.0 && found.low == found.low.round(), "{found:?}");
        let mut learnt = Profile::new(bounds, 3.0, 0.0, t99(1));
        learnt.is_noisy(0.001);
        learnt.is_noisy(0.0005);
        assert_eq!(solve(learnt, at_37).0, found, "the largest that was told counts");
    }

    #[test]
    fn what_cannot_be_had_ends_the_search_on_its_side() {
        let mut profile = Profile::new(POSITIVE, 8.0, 0.0, t99(2));
        let mut refused = 0;
        while let Some(at) = profile.wants() {
            if at > 10.0 {
                refused += 1;
                profile.exclude(at);
            } else {
                profile.learn(at, vec![at / 100.0 - 1.0, at / 101.0 - 1.0, at / 99.0 - 1.0]);
            }
        }
        let found = profile.found().expect("values");
        assert!(refused == 1 && found.value == 8.0 && found.is_open_above, "{refused} {found:?}");
    }
}
