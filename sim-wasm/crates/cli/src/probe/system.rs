//! What is read of the machine at hand: its CPUs, kernel, tick and limits.
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::Path;

/// What system calls say.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// CPUs that this process may use.
    pub allowed: Vec<usize>,
    /// Release of the kernel.
    pub release: String,
    /// Between two ticks \[ns\].
    pub tick_ns: u64,
    /// By how much later timers may wake \[ns\].
    pub slack_ns: u64,
}

/// How the allowed CPUs stand, where they stand evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shape {
    pub sockets: usize,
    pub cores_per_socket: usize,
    pub cores_per_llc: usize,
    pub threads_per_core: usize,
}

/// The host as it is measured and simulated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct System {
    /// CPUs that this process may use.
    pub cpus: Vec<usize>,
    /// `None`: unevenly; the model takes them as cores of one socket.
    pub shape: Option<Shape>,
    pub release: String,
    /// As `os_scheduler` names it.
    pub scheduler: &'static str,
    /// Knobs that tell its releases and features apart, and their values; the others have their defaults.
    pub generation: Vec<(&'static str, &'static str)>,
    pub tick_ns: u64,
    pub slack_ns: u64,
    /// CPUs that `cpu.max` leaves, of its control group and those around it.
    pub cpu_max: Option<f64>,
    /// Of an EEVDF or CFS process, where the kernel tells it \[ns\].
    pub slice_ns: Option<u64>,
    /// `sched_rt_runtime_us` and `sched_rt_period_us`.
    pub rt_us: Option<(i64, i64)>,
}

/// Yield of two threads of a core, within the 1.15 to 1.5 of x86.
const YIELD: &str = "1.3";

impl System {
    /// Of the files below `root`.
    pub fn read(root: &Path, own: Own) -> System {
        let (scheduler, release) = kernel_of(&own.release);
        let mut generation = release.to_vec();
        for (knob, value) in features(root, scheduler) {
            generation.retain(|known| known.0 != knob);
            generation.push((knob, value));
        }
        // The mode in force stands in brackets.
        let is_lazy = text(root, "sys/kernel/debug/sched/preempt").is_some_and(|modes| modes.contains("(lazy)"));
        if is_lazy && generation.contains(&("eevdf_generation", "6.18")) {
            generation.push(("preempt", "lazy"));
        }
        // From 6.12 on the file stands there, and nothing heeds it but groups of real time.
        let has_server = generation.iter().any(|one| matches!(one, ("eevdf_generation", "6.12" | "6.18")));
        let built = text(root, &format!("boot/config-{}", own.release)).unwrap_or_default();
        let is_limited = !has_server || built.contains("CONFIG_RT_GROUP_SCHED=y");
        let number = |path: &str| text(root, path)?.parse().ok();
        let slice = |name: &str| number(&format!("sys/kernel/debug/sched/{name}"));
        let rt = |name: &str| number(&format!("proc/sys/kernel/sched_rt_{name}_us"));
        System {
            shape: shape_of(root, &own.allowed),
            scheduler,
            generation,
            cpu_max: cpu_max(root),
            slice_ns: slice("base_slice_ns").or_else(|| slice("min_granularity_ns")).map(|ns| ns as u64),
            rt_us: rt("runtime").zip(rt("period")).filter(|_| is_limited),
            cpus: own.allowed,
            release: own.release,
            tick_ns: own.tick_ns,
            slack_ns: own.slack_ns,
        }
    }

    /// The shape that the model gets.
    fn taken(&self) -> Shape {
        let cores = self.cpus.len().max(1);
        let even = Shape { sockets: 1, cores_per_socket: cores, cores_per_llc: cores, threads_per_core: 1 };
        self.shape.unwrap_or(even)
    }

    /// Of the ticks that the model knows the nearest.
    fn tick_hz(&self) -> u32 {
        let hz = 1e9 / self.tick_ns.max(1) as f64;
        let ratio = |known: u32| (hz / f64::from(known)).max(f64::from(known) / hz);
        [100, 250, 1000].into_iter().min_by(|&a, &b| ratio(a).total_cmp(&ratio(b))).unwrap_or(1000)
    }

    /// The host's knobs.
    pub fn knobs(&self) -> Vec<(&'static str, String)> {
        let shape = self.taken();
        let mut sets = vec![
            ("sockets", shape.sockets.to_string()),
            ("cores_per_socket", shape.cores_per_socket.to_string()),
            ("cores_per_llc", shape.cores_per_llc.to_string()),
            ("threads_per_core", shape.threads_per_core.to_string()),
            ("smt_yield", if shape.threads_per_core > 1 { YIELD } else { "1" }.to_owned()),
            ("os_scheduler", self.scheduler.to_owned()),
            ("tick_hz", self.tick_hz().to_string()),
        ];
        sets.extend(self.generation.iter().map(|&(knob, value)| (knob, value.to_owned())));
        if let Some((runtime, period)) = self.rt_us {
            sets.extend([("sched_rt_runtime_us", runtime.to_string()), ("sched_rt_period_us", period.to_string())]);
        }
        if let Some(slice) = self.slice_ns {
            // What the kernel tells is scaled by the number of CPUs already.
            let scale = 1 + self.cpus.len().clamp(1, 8).ilog2();
            let knob = if self.scheduler == "EEVDF" { "eevdf_base_slice_ms" } else { "sched_min_granularity_ms" };
            sets.push((knob, (slice as f64 / 1e6 / f64::from(scale)).clamp(0.1, 50.0).to_string()));
        }
        sets
    }

    /// For people.
    pub fn told(&self) -> Vec<String> {
        let hz = 1e9 / self.tick_ns.max(1) as f64;
        let since: Vec<String> = self.generation.iter().map(|(knob, value)| format!("{knob} {value}")).collect();
        let since = if since.is_empty() { String::new() } else { format!(" with {}", since.join(", ")) };
        let slice = self.slice_ns.map_or(String::new(), |ns| format!(", slice {} ms", ns as f64 / 1e6));
        let mut lines = vec![format!(
            "Linux {}: {}{since}{slice}, {hz:.0} ticks a second, timer slack {} µs (the server's is 0)",
            self.release,
            self.scheduler,
            self.slack_ns as f64 / 1e3
        )];
        let Shape { sockets, cores_per_socket: cores, cores_per_llc: llc, threads_per_core: threads } = self.taken();
        let count = self.cpus.len();
        lines.push(match self.shape {
            Some(_) => format!("{sockets} × {cores} × {threads} = {count} CPUs, {llc} cores a last-level cache"),
            None => format!("{count} CPUs that stand unevenly in cores or caches: taken as cores of one socket"),
        });
        lines.extend(
            self.cpu_max.map(|cpus| format!("cpu.max leaves {cpus} CPUs: the simulated host has no such limit")),
        );
        lines
    }
}

/// What a file says, without the blanks around it.
fn text(root: &Path, path: &str) -> Option<String> {
    Some(read_to_string(root.join(path)).ok()?.trim().to_owned())
}

/// Knobs and their values.
type Sets = &'static [(&'static str, &'static str)];

/// The scheduler of a release, and which one of it. Wake-ups look for an idle CPU by utilisation since 5.19, and idle
/// CPUs see that threads of a core are in each other's way since 6.6, which has no CFS any more. Up to 4.0 loads alone
/// decide.
fn kernel_of(release: &str) -> (&'static str, Sets) {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse::<u32>().unwrap_or(0));
    let mut next = || numbers.next().unwrap_or(0);
    match (next(), next(), next()) {
        version if version >= (6, 17, 0) => ("EEVDF", &[("eevdf_generation", "6.18")]),
        version if version >= (6, 12, 0) => ("EEVDF", &[("eevdf_generation", "6.12")]),
        version if version >= (6, 8, 0) => ("EEVDF", &[("eevdf_generation", "6.8")]),
        version if version >= (6, 6, 0) => ("EEVDF", &[("eevdf_generation", "6.6")]),
        version if version >= (5, 19, 0) => ("CFS", &[("idle_scan", "util"), ("balance_generation", "6.1")]),
        version if version >= (4, 1, 0) => ("CFS", &[("balance_generation", "6.1")]),
        version if version >= (2, 6, 23) => ("CFS", &[("balance_generation", "3.16")]),
        _ => ("O1", &[]),
    }
}

/// What the kernel says of its features, where it may be read, sets these knobs: distributions add and leave out some.
fn features(root: &Path, scheduler: &str) -> Vec<(&'static str, &'static str)> {
    let paths = ["sys/kernel/debug/sched/features", "sys/kernel/debug/sched_features"];
    let Some(all) = paths.iter().find_map(|path| text(root, path)) else { return Vec::new() };
    let has = |name: &str| all.split_whitespace().any(|feature| feature == name);
    let scan = [("SIS_UTIL", "util"), ("SIS_PROP", "prop")].into_iter().find(|(name, _)| has(name));
    let dice = match has("NI_RANDOM") {
        true => Some("yes"),
        false => (scheduler == "EEVDF").then_some("no"),
    };
    scan.map(|(_, value)| ("idle_scan", value)).into_iter().chain(dice.map(|value| ("ni_random", value))).collect()
}

/// As many each, or `None`.
fn alike<K: Ord>(of: impl Iterator<Item = K>) -> Option<(usize, usize)> {
    let mut counts: BTreeMap<K, usize> = BTreeMap::new();
    of.for_each(|key| *counts.entry(key).or_default() += 1);
    let first = *counts.values().next()?;
    counts.values().all(|&count| count == first).then_some((counts.len(), first))
}

fn shape_of(root: &Path, cpus: &[usize]) -> Option<Shape> {
    let said = |cpu: usize, what: &str| text(root, &format!("sys/devices/system/cpu/cpu{cpu}/{what}"));
    let places: Option<Vec<(String, String)>> =
        cpus.iter().map(|&cpu| said(cpu, "topology/physical_package_id").zip(said(cpu, "topology/core_id"))).collect();
    let mut cores = places?;
    let (core_count, threads_per_core) = alike(cores.iter())?;
    let (sockets, _) = alike(cores.iter().map(|core| &core.0))?;
    let caches: Vec<(String, String)> = cpus
        .iter()
        .zip(&cores)
        .map(|(&cpu, core)| {
            let level = |index: usize| {
                let level: u32 = said(cpu, &format!("cache/index{index}/level"))?.parse().ok()?;
                Some((level, said(cpu, &format!("cache/index{index}/shared_cpu_list"))?))
            };
            // Where no cache is told, those of a socket share one.
            let last = (0..8).filter_map(level).max_by_key(|cache| cache.0).map_or(String::new(), |cache| cache.1);
            (core.0.clone(), last)
        })
        .collect();
    let (cache_count, _) = alike(caches.into_iter())?;
    cores.sort();
    let is_even = core_count % sockets == 0 && core_count % cache_count == 0 && cache_count % sockets == 0;
    is_even.then(|| Shape {
        sockets,
        cores_per_socket: core_count / sockets,
        cores_per_llc: core_count / cache_count,
        threads_per_core,
    })
}

/// CPUs that `cpu.max` (version 2) leaves, the least from the own control group to the root.
fn cpu_max(root: &Path) -> Option<f64> {
    let groups = text(root, "proc/self/cgroup")?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let quota = |group: &Path| {
        let said = text(root, &format!("sys/fs/cgroup/{}/cpu.max", group.display()))?;
        let (quota, period) = said.split_once(' ')?;
        Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
    };
    Path::new(own).ancestors().filter_map(quota).min_by(f64::total_cmp)
}

/// Ticks that some CPUs were busy, and that a hypervisor gave to others, since the start: of `/proc/stat`.
pub fn busy_and_stolen(stat: &str, cpus: &[usize]) -> (u64, u64) {
    let mut sums = (0, 0);
    for line in stat.lines() {
        let mut words = line.split_whitespace();
        let number = words.next().and_then(|name| name.strip_prefix("cpu")?.parse::<usize>().ok());
        if !number.is_some_and(|cpu| cpus.contains(&cpu)) {
            continue;
        }
        // user nice system idle iowait irq softirq steal; what guests use is in user.
        let ticks: Vec<u64> = words.map(|word| word.parse().unwrap_or(0)).collect();
        let at = |which: usize| ticks.get(which).copied().unwrap_or(0);
        sums.0 += [0, 1, 2, 5, 6].map(at).iter().sum::<u64>();
        sums.1 += at(7);
    }
    sums
}

#[cfg(test)]
#[path = "system_tests.rs"]
pub mod tests;
