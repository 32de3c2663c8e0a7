//! Any snapshot at all: the twin comes to a verdict, and what it moves could be moved.
use super::cases::{hogs, NOW};
use super::*;

const ALL: [Generation; 4] = [Generation::Linux61, Generation::Linux66, Generation::Linux612, Generation::Linux618];

/// A plain linear congruential generator.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn snapshot(draw: &mut Draw, n: usize) -> Vec<Cpu> {
    let counts: Vec<usize> = (0..n).map(|_| draw.below(5).saturating_sub(draw.below(3)) as usize).collect();
    let mut cpus = hogs(&counts);
    for cpu in &mut cpus {
        let mut tasks = cpu.cfs_tasks();
        for (p, _) in &mut tasks {
            p.load = [15, 512, 1024, 9548][draw.below(4) as usize];
            p.util = draw.below(1025);
            p.last_ran_ns = NOW - draw.below(1_000_000);
            p.allowed = (0..16).map(|_| draw.below(4) > 0).collect();
        }
        cpu.load = tasks.iter().map(|t| t.0.load).sum();
        cpu.util = tasks.iter().map(|t| t.0.util).sum();
        cpu.set_cfs_tasks(tasks);
        (cpu.rt_util, cpu.rt_tasks) = (draw.below(3) * draw.below(600), draw.below(8) as usize / 7);
        cpu.is_idle &= cpu.rt_tasks == 0;
    }
    cpus
}

#[test]
fn every_snapshot_has_a_verdict() {
    let mut draw = Draw(7);
    let mut seen = [0; 4];
    for _ in 0..20_000 {
        let (s, l) = (1 + draw.below(2) as usize, 1 + draw.below(2) as usize);
        let (c, t) = (1 + draw.below(2) as usize, 1 + draw.below(2) as usize);
        let cpus = snapshot(&mut draw, s * l * c * t);
        let this = draw.below(cpus.len() as u64) as usize;
        for sd in build_domains(s, l, c, t, this) {
            let mut sd = sd.of(ALL[draw.below(4) as usize]);
            sd.failed = draw.below(6) as u32;
            sd.group_imbalance.iter_mut().for_each(|g| *g = draw.below(9) == 0);
            let idle = match draw.below(2) {
                _ if !cpus[this].is_idle => Idle::NotIdle,
                0 => Idle::Idle,
                _ => Idle::NewlyIdle,
            };
            let out = load_balance_all(&cpus, &sd, this, idle, NOW, true);
            check(&cpus, &sd, this, idle, &out);
            seen[match out.verdict {
                Verdict::Balanced => 0,
                Verdict::Nothing => 1,
                Verdict::Moved(_) => 2,
                Verdict::Active(_) => 3,
            }] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
}

fn check(cpus: &[Cpu], sd: &Domain, this: usize, idle: Idle, out: &Outcome) {
    for &(id, to) in &out.moves {
        let from = cpus.iter().position(|c| c.queue.iter().any(|p| p.id == id)).expect("one that waits");
        let p = cpus[from].queue.iter().find(|p| p.id == id).expect("there");
        assert!(p.allowed[to] && sd.groups[0].contains(&to) && !sd.groups[0].contains(&from), "{out:?}");
        assert!(to == this || idle != Idle::NewlyIdle);
    }
    assert!(idle != Idle::NewlyIdle || out.moves.len() <= 1);
    assert!(out.interval_ms <= 2 * sd.max_interval_ms || out.interval_ms <= 1024);
    if let Verdict::Active(id) = out.verdict {
        assert!(cpus.iter().any(|c| c.cfs_tasks().iter().any(|t| t.0.id == id && t.0.allowed[this])));
    }
}
