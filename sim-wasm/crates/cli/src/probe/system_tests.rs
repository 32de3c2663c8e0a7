use super::*;
use std::fs;
use std::path::PathBuf;

/// Two cores of two threads, under EEVDF.
pub fn small() -> System {
    System {
        cpus: vec![0, 1, 2, 3],
        shape: Some(Shape { sockets: 1, cores_per_socket: 2, cores_per_llc: 2, threads_per_core: 2 }),
        release: "6.8.0-31-generic".to_owned(),
        scheduler: "EEVDF",
        generation: vec![("eevdf_generation", "6.8")],
        tick_ns: 4_000_000,
        slack_ns: 50_000,
        cpu_max: None,
        slice_ns: Some(3_000_000),
        rt_us: Some((950_000, 1_000_000)),
    }
}

/// Files of a machine in a folder of this test's own, gone when the test is.
struct Tree(PathBuf);

impl Tree {
    fn new(name: &str) -> Tree {
        let root = std::env::temp_dir().join(format!("wwi-probe-{name}-{}", std::process::id()));
        fs::create_dir_all(&root).expect("made");
        Tree(root)
    }
    fn file(&self, path: &str, content: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("it has one")).expect("made");
        fs::write(path, content).expect("written");
    }
    /// Of each CPU: socket, core, and who shares its last-level cache.
    fn cpus(self, places: &[(u32, u32, &str)]) -> Tree {
        for (cpu, (socket, core, shared)) in places.iter().enumerate() {
            let folder = format!("sys/devices/system/cpu/cpu{cpu}");
            self.file(&format!("{folder}/topology/physical_package_id"), &format!("{socket}\n"));
            self.file(&format!("{folder}/topology/core_id"), &format!("{core}\n"));
            self.file(&format!("{folder}/cache/index0/level"), "1\n");
            self.file(&format!("{folder}/cache/index0/shared_cpu_list"), &format!("{cpu}\n"));
            self.file(&format!("{folder}/cache/index3/level"), "3\n");
            self.file(&format!("{folder}/cache/index3/shared_cpu_list"), &format!("{shared}\n"));
        }
        self
    }
    fn shape(&self, allowed: &[usize]) -> Option<[usize; 4]> {
        let shape = shape_of(&self.0, allowed)?;
        Some([shape.sockets, shape.cores_per_socket, shape.cores_per_llc, shape.threads_per_core])
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn own(allowed: Vec<usize>, release: &str) -> Own {
    Own { allowed, release: release.to_owned(), tick_ns: 4_000_000, slack_ns: 50_000 }
}

#[test]
fn cpus_stand_in_cores_caches_and_sockets() {
    // Siblings far apart in number, as on Intel; core numbers with gaps.
    let intel = Tree::new("intel").cpus(&[
        (0, 0, "0-1,4-5"),
        (0, 8, "0-1,4-5"),
        (1, 0, "2-3,6-7"),
        (1, 8, "2-3,6-7"),
        (0, 0, "0-1,4-5"),
        (0, 8, "0-1,4-5"),
        (1, 0, "2-3,6-7"),
        (1, 8, "2-3,6-7"),
    ]);
    assert_eq!(intel.shape(&[0, 1, 2, 3, 4, 5, 6, 7]), Some([2, 2, 2, 2]));
    assert_eq!(intel.shape(&[0, 1, 2, 3]), Some([2, 2, 2, 1]), "a thread of each core");
    assert_eq!(intel.shape(&[0, 4]), Some([1, 1, 1, 2]));
    assert_eq!(intel.shape(&[0, 1, 4]), None, "a core has both its threads, the other one");
    assert_eq!(intel.shape(&[0, 1, 2]), None, "a socket has two cores, the other one");
    assert_eq!(intel.shape(&[0, 9]), None, "of CPU 9 nothing is told");
    let epyc = Tree::new("epyc").cpus(&[(0, 0, "0-1"), (0, 1, "0-1"), (0, 2, "2-3"), (0, 3, "2-3")]);
    assert_eq!(epyc.shape(&[0, 1, 2, 3]), Some([1, 4, 2, 1]), "two caches in a socket");
    assert_eq!(epyc.shape(&[0, 1, 2]), None);
    let guest = Tree::new("guest");
    for cpu in 0..2 {
        guest.file(&format!("sys/devices/system/cpu/cpu{cpu}/topology/physical_package_id"), "0");
        guest.file(&format!("sys/devices/system/cpu/cpu{cpu}/topology/core_id"), &cpu.to_string());
    }
    assert_eq!(guest.shape(&[0, 1]), Some([1, 2, 2, 1]), "no cache is told");
}

#[test]
fn the_release_says_which_scheduler() {
    let [old, delayed, new]: [Sets; 3] =
        [&[("eevdf_generation", "6.6")], &[("eevdf_generation", "6.12")], &[("eevdf_generation", "6.18")]];
    let by_load: Sets = &[("balance_generation", "3.16")];
    let by_threads: Sets = &[("balance_generation", "6.1")];
    let by_util: Sets = &[("idle_scan", "util"), ("balance_generation", "6.1")];
    let cases: [(&str, (&str, Sets)); 21] = [
        ("6.18.44-fc-v669", ("EEVDF", new)),
        ("6.17.0", ("EEVDF", new)),
        ("6.16.12", ("EEVDF", delayed)),
        ("6.12.0", ("EEVDF", delayed)),
        ("6.11.9-arch1-1", ("EEVDF", &[("eevdf_generation", "6.8")])),
        ("6.8.0-31-generic", ("EEVDF", &[("eevdf_generation", "6.8")])),
        ("6.6.30-1-lts", ("EEVDF", old)),
        ("6.5.13", ("CFS", by_util)),
        ("6.4.16", ("CFS", by_util)),
        ("5.19.0-rc1", ("CFS", by_util)),
        ("5.18.19", ("CFS", by_threads)),
        ("5.15.0-302.167.6.el9uek.x86_64", ("CFS", by_threads)),
        ("4.1.12-124.16.4.el7uek.x86_64", ("CFS", by_threads)),
        ("4.0.9", ("CFS", by_load)),
        ("3.16.0-4-amd64", ("CFS", by_load)),
        ("3.12.0", ("CFS", by_load)),
        ("3.10.0-1160.el7.x86_64", ("CFS", by_load)),
        ("3.10.108", ("CFS", by_load)),
        ("3.8.13-16.2.1.el6uek.x86_64", ("CFS", by_load)),
        ("2.6.32-754.el6.x86_64", ("CFS", by_load)),
        ("2.6.18-410.el5", ("O1", &[])),
    ];
    for (release, expected) in cases {
        assert_eq!(kernel_of(release), expected, "{release}");
    }
}

#[test]
fn what_the_kernel_says_of_its_features_goes_before_what_its_release_does() {
    let tree = Tree::new("features").cpus(&[(0, 0, "0-1"), (0, 1, "0-1")]);
    let of = |release: &str| System::read(&tree.0, own(vec![0, 1], release)).generation;
    tree.file("sys/kernel/debug/sched_features", "GENTLE_FAIR_SLEEPERS NO_SIS_AVG_CPU SIS_PROP NO_RT_PUSH\n");
    assert_eq!(of("5.4.0"), [("balance_generation", "6.1"), ("idle_scan", "prop")]);
    tree.file("sys/kernel/debug/sched/features", "NO_SIS_PROP SIS_UTIL NI_RANDOM UTIL_EST\n");
    assert_eq!(of("6.1.0-50"), [("balance_generation", "6.1"), ("idle_scan", "util"), ("ni_random", "yes")]);
    tree.file("sys/kernel/debug/sched/features", "SIS_PROP NO_SIS_UTIL NO_NI_RANDOM\n");
    assert_eq!(of("6.1.0-50"), [("balance_generation", "6.1"), ("idle_scan", "prop")], "as somebody set it");
    tree.file("sys/kernel/debug/sched/features", "NO_SIS_UTIL UTIL_EST\n");
    assert_eq!(of("6.12.9"), [("eevdf_generation", "6.12"), ("ni_random", "no")], "before there were dice");
    let told = System::read(&tree.0, own(vec![0, 1], "6.12.9")).told();
    assert!(told[0].starts_with("Linux 6.12.9: EEVDF with eevdf_generation 6.12, ni_random no, "), "{}", told[0]);
}

#[test]
fn limits_and_slices_are_read_where_they_can_be() {
    let tree = Tree::new("limits").cpus(&[(0, 0, "0-1"), (0, 1, "0-1")]);
    let bare = System::read(&tree.0, own(vec![0, 1], "6.6.1"));
    assert_eq!((bare.cpu_max, bare.slice_ns, bare.rt_us), (None, None, None));
    assert_eq!(bare.told().len(), 2);
    tree.file("proc/self/cgroup", "12:cpu:/old\n0::/system.slice/probe.service\n");
    tree.file("sys/fs/cgroup/system.slice/probe.service/cpu.max", "max 100000\n");
    tree.file("sys/kernel/debug/sched/base_slice_ns", "1400000\n");
    tree.file("proc/sys/kernel/sched_rt_runtime_us", "-1\n");
    tree.file("proc/sys/kernel/sched_rt_period_us", "1000000\n");
    let free = System::read(&tree.0, own(vec![0, 1], "6.6.1"));
    assert_eq!((free.cpu_max, free.slice_ns, free.rt_us), (None, Some(1_400_000), Some((-1, 1_000_000))));
    let knobs: BTreeMap<_, _> = free.knobs().into_iter().collect();
    let of = |knob: &str| knobs[knob].as_str();
    assert_eq!((of("eevdf_base_slice_ms"), of("sched_rt_runtime_us"), of("tick_hz")), ("0.7", "-1", "250"));
    assert_eq!((of("cores_per_socket"), of("cores_per_llc"), of("smt_yield")), ("2", "2", "1"));
    tree.file("sys/fs/cgroup/system.slice/probe.service/cpu.max", "150000 100000\n");
    tree.file("sys/fs/cgroup/system.slice/cpu.max", "50000 100000\n");
    let held = System::read(&tree.0, own(vec![0, 1], "6.6.1"));
    assert_eq!(held.cpu_max, Some(0.5), "the tightest counts");
    assert_eq!(held.told()[2], "cpu.max leaves 0.5 CPUs: the simulated host has no such limit");
}

#[test]
fn lazy_pre_emption_is_read_where_the_model_knows_it() {
    for (release, modes, is_lazy) in [
        ("6.18.2", "none voluntary full (lazy)\n", true),
        ("6.18.2", "none voluntary (full) lazy\n", false),
        ("6.14.0", "none voluntary full (lazy)\n", false),
    ] {
        let tree = Tree::new("lazy").cpus(&[(0, 0, "0-1"), (0, 1, "0-1")]);
        tree.file("sys/kernel/debug/sched/preempt", modes);
        let knobs = System::read(&tree.0, own(vec![0, 1], release)).knobs();
        assert_eq!(knobs.contains(&("preempt", "lazy".to_owned())), is_lazy, "{release} {modes}");
    }
}

#[test]
fn uneven_cpus_are_said_to_be_taken_as_cores() {
    let tree = Tree::new("uneven").cpus(&[(0, 0, "0-2"), (0, 0, "0-2"), (0, 1, "0-2")]);
    let system = System::read(&tree.0, own(vec![0, 1, 2], "5.14.0"));
    assert_eq!(
        system.told()[0],
        "Linux 5.14.0: CFS with balance_generation 6.1, 250 ticks a second, timer slack 50 µs (the server's is 0)"
    );
    assert_eq!(system.told()[1], "3 CPUs that stand unevenly in cores or caches: taken as cores of one socket");
    let knobs: BTreeMap<_, _> = system.knobs().into_iter().collect();
    assert_eq!((knobs["sockets"].as_str(), knobs["cores_per_socket"].as_str()), ("1", "3"));
}

#[test]
fn ticks_of_the_allowed_cpus_alone_are_counted() {
    let stat = "cpu  100 0 0 0 0 0 0 50 0 0\ncpu0 10 2 3 400 70 5 6 7 1 0\ncpu1 1000 0 0 0 0 0 0 9 0 0\n\
                cpu10 1 1 1 1 1 1 1 1 0 0\nintr 5 6\n";
    assert_eq!(busy_and_stolen(stat, &[0]), (26, 7));
    assert_eq!(busy_and_stolen(stat, &[0, 10]), (31, 8));
    assert_eq!(busy_and_stolen("cpu3 4 5 6", &[3]), (15, 0), "an old kernel tells less");
}
