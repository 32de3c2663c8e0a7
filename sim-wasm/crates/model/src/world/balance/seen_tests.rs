use super::*;
use crate::config::{
    Arrivals, Background, BalanceGeneration, Demand, DemandShape, EevdfGeneration, NodeConfig, Scheduler,
};
use crate::testing::{hogs, node, one};

const GENERATIONS: [EevdfGeneration; 4] =
    [EevdfGeneration::Linux66, EevdfGeneration::Linux612, EevdfGeneration::Linux618, EevdfGeneration::Linux68];

/// A host on which nobody looks for work, and what would balance it. Sessions come and go.
fn unbalanced(seed: u32, random: &mut Stream) -> (World, Option<Box<Balance>>) {
    let host = NodeConfig {
        sockets: 1 + random.below(3) as u32,
        cores_per_socket: 2 + random.below(7) as u32,
        threads_per_core: 1 + random.below(2) as u32,
        smt_yield: vec![1.0, 1.3],
        scheduler: if random.below(2) == 0 { Scheduler::Cfs } else { Scheduler::Eevdf },
        eevdf_generation: GENERATIONS[random.below(4) as usize],
        balance_generation: [BalanceGeneration::Linux61, BalanceGeneration::Linux66][random.below(2) as usize],
        background: Background {
            processes: random.below(5) as u32,
            busy: Ns::from_ms(0.3),
            sleep: Ns::from_ms(0.2),
            ..node().background
        },
        ..node()
    };
    let sessions = 1 + random.below(2 * host.threads() as u64) as u32;
    let mut instance = hogs(sessions);
    let think = Ns::from_ms(0.5 + 10.0 * random.uniform());
    instance.workload.arrivals = Arrivals::Closed { sessions, think, start_spread: Ns::from_ms(10.0) };
    instance.workload.demand = Demand { mean: Ns::from_ms(8.0), shape: DemandShape::Exponential };
    let mut world = World::new(&one(host, instance), seed);
    let asleep = world.hosts[0].balance.as_deref_mut().expect("queues are fair");
    let balance = Some(Box::new(asleep.clone()));
    (asleep.armed, asleep.newidle_cost) = (Ns::ZERO, Ns::from_s(1e6));
    (world, balance)
}

/// What an attempt comes to that weighs every CPU of its domain.
fn weighed(world: &World, mut balance: Balance, (cpu, level, puller): (usize, usize, Puller)) -> (Outcome, Balance) {
    let domain = balance.domains.levels[level].clone();
    let seen = world.seen(0, domain.kind == Kind::Smt);
    let span = domain.span(cpu);
    balance.first = span.start;
    balance.cpus = span.map(|at| seen.cpu(at)).collect();
    let outcome = balance.attempt(cpu, level, puller, &seen);
    (outcome, balance)
}

#[test]
fn loads_that_are_left_out_decide_nothing() {
    let (mut moved, mut even) = ([0; 3], 0);
    for seed in 0..60 {
        let mut random = Stream::new(7, seed, "test", 0, "hosts");
        let (mut world, mut balance) = unbalanced(seed, &mut random);
        let levels = balance.as_deref().map_or(0, |balance| balance.domains.levels.len());
        for step in 1..=40 {
            assert!(world.run(Ns::from_ms(f64::from(step) * 7.3), 1_000_000), "stalled");
            for cpu in 0..world.threads.len() {
                let pullers =
                    if world.hosts[0].idle.has(cpu) { [Puller::Idle, Puller::NewlyIdle] } else { [Puller::Busy; 2] };
                for (level, puller) in (0..levels).flat_map(|level| pullers.map(|puller| (level, puller))) {
                    let before = balance.as_deref().expect("it is kept").clone();
                    let domain = &before.domains.levels[level];
                    let waits = domain.span(cpu).any(|at| world.hosts[0].policy.waiting(at) > 0);
                    if puller == Puller::NewlyIdle && !waits && domain.group > 1 {
                        continue;
                    }
                    let is_pinned = before.pinned[level].contains(&true);
                    even += u32::from(world.seen(0, false).is_even(domain, (cpu, puller, is_pinned)));
                    let (expected, expected_after) = weighed(&world, before, (cpu, level, puller));
                    std::mem::swap(&mut world.hosts[0].balance, &mut balance);
                    let outcome = world.decide(0, (cpu, level, puller));
                    std::mem::swap(&mut world.hosts[0].balance, &mut balance);
                    let after = balance.as_deref().expect("it is kept");
                    assert_eq!(outcome, expected, "{seed} {step} {cpu} {level} {puller:?}");
                    assert_eq!(after.tried, expected_after.tried, "{seed} {step} {cpu} {level} {puller:?}");
                    assert_eq!(after.pinned, expected_after.pinned);
                    moved[level.min(2)] += outcome.moves.len();
                }
            }
        }
    }
    assert!(moved.iter().all(|&number| number > 50) && even > 500, "{moved:?} {even}");
}

/// A hog, and sessions that leave before they have worked off what they owe: one who sleeps but is queued is one of his
/// CPU, and before 6.14 one that wants to run. While there is one, balancing does not rest, though nobody waits.
#[test]
fn the_delayed_count_among_those_of_their_cpu() {
    for (generation, wants) in GENERATIONS.into_iter().zip([0, 1, 0, 0]) {
        let host =
            NodeConfig { cores_per_socket: 2, scheduler: Scheduler::Eevdf, eevdf_generation: generation, ..node() };
        let background = Background { processes: 2, ..node().background };
        let mut instance = hogs(4);
        instance.workload.arrivals =
            Arrivals::Closed { sessions: 4, think: Ns::from_ms(5.0), start_spread: Ns::from_ms(10.0) };
        instance.workload.demand = Demand { mean: Ns::from_ms(2.0), shape: DemandShape::Exponential };
        let mut world = World::new(&one(NodeConfig { background, ..host }, instance), 0);
        let (mut met, mut alone) = (0, 0);
        for step in 1..2000 {
            assert!(world.run(Ns::from_ms(f64::from(step) * 0.37), 1_000_000), "stalled");
            for cpu in 0..2 {
                let (queues, seen) = (world.hosts[0].policy.fair().expect("they are fair"), world.seen(0, false));
                let (delayed, counted) = (queues.delayed(cpu) as u32, seen.counted(cpu));
                assert_eq!(counted.running, queues.runnable(cpu) as u32 + delayed, "{generation:?}");
                assert_eq!(counted.fair, queues.runnable(cpu) as u32 + wants * delayed, "{generation:?}");
                met += delayed;
            }
            let host = &world.hosts[0];
            let queues = host.policy.fair().expect("they are fair");
            let delayed = queues.delayed(0) + queues.delayed(1);
            assert_eq!(host.has_nobody_queued(), host.ready == 0 && delayed == 0, "{generation:?}");
            alone += u32::from(host.ready == 0 && delayed > 0);
        }
        let may_stay = matches!(generation, EevdfGeneration::Linux612 | EevdfGeneration::Linux618);
        assert_eq!((met > 100, alone > 10), (may_stay, may_stay), "{generation:?}: {met} {alone}");
    }
}

/// Who came to the head of the queue last stands last, whether they are put in order one by one or sorted.
#[test]
fn queues_of_many_are_listed_in_the_same_order_as_those_of_few() {
    for sessions in [9, 200] {
        let host = NodeConfig { cores_per_socket: 1, scheduler: Scheduler::Cfs, ..node() };
        let mut world = World::new(&one(host, hogs(sessions)), 3);
        assert!(world.run(Ns::from_ms(2_345.0), 1_000_000), "stalled");
        let mut visited = Vec::new();
        world.hosts[0].policy.fair().expect("queues are fair").visit(0, &mut |one| visited.push(one));
        let mut sorted = visited.clone();
        sorted.sort_by_key(|one| std::cmp::Reverse(one.age));
        let listed = world.seen(0, false).list(0, false);
        assert_eq!(listed.len(), sessions as usize);
        assert!(listed.iter().map(|one| one.pid).eq(sorted.iter().map(|one| one.pid)), "{sessions}");
        assert!(visited.iter().zip(&sorted).any(|(one, other)| one.pid != other.pid), "{sessions}: another order");
    }
}
