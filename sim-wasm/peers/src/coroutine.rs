//! desim: each CPU is a coroutine that takes a session from a queue, lets its turn pass, and puts it back. In the open
//! queue arrivals are a coroutine too, which puts what arrives into a store that the CPUs draw from.
use crate::{Draws, Run, Workload, CPUS, LOAD, MEAN, QUANTUM, SESSIONS, SWITCH};
use desim::resources::SimpleStore;
use desim::{Effect, SimState, Simulation};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// An effect of which no log is kept.
#[derive(Clone, Copy)]
struct Quiet(Effect);

impl SimState for Quiet {
    fn get_effect(&self) -> Effect {
        self.0
    }
    fn set_effect(&mut self, effect: Effect) {
        self.0 = effect;
    }
    fn should_log(&self) -> bool {
        false
    }
}

struct Desim {
    simulation: Simulation<Quiet>,
    /// Ends of turns and arrivals so far.
    done: Rc<Cell<u64>>,
}

impl Run for Desim {
    fn turn(&mut self, events: u64) -> u64 {
        let before = self.done.get();
        while self.done.get() - before < events {
            self.simulation.step();
        }
        self.done.get() - before
    }
}

struct Closed {
    demands: Draws,
    left: Vec<f64>,
    queue: VecDeque<u32>,
}

fn closed(turns: bool) -> Desim {
    let mut demands = Draws::new("demand");
    let left = (0..SESSIONS).map(|_| demands.next(MEAN)).collect();
    let shared = Rc::new(RefCell::new(Closed { demands, left, queue: (0..SESSIONS).collect() }));
    let done = Rc::new(Cell::new(0));
    let mut simulation = Simulation::new();
    for _ in 0..CPUS {
        let (shared, done) = (shared.clone(), done.clone());
        let cpu = simulation.create_process(Box::new(
            #[coroutine]
            move |_| {
                while let Some((session, needs)) = {
                    let closed = &mut *shared.borrow_mut();
                    closed.queue.pop_front().map(|session| (session, closed.left[session as usize]))
                } {
                    let turn = if turns { (needs + SWITCH).min(QUANTUM) } else { needs };
                    yield Quiet(Effect::TimeOut(turn));
                    let closed = &mut *shared.borrow_mut();
                    let left = needs - (QUANTUM - SWITCH);
                    closed.left[session as usize] = if turns && left > 0.0 { left } else { closed.demands.next(MEAN) };
                    closed.queue.push_back(session);
                    done.set(done.get() + 1);
                }
            },
        ));
        simulation.schedule_event(0.0, cpu, Quiet(Effect::Wait));
    }
    Desim { simulation, done }
}

fn open() -> Desim {
    let mut simulation = Simulation::new();
    let store = simulation.create_store(Box::new(SimpleStore::new(usize::MAX)));
    let done = Rc::new(Cell::new(0));
    let demands = Rc::new(RefCell::new(Draws::new("demand")));
    for _ in 0..CPUS {
        let (done, demands) = (done.clone(), demands.clone());
        let cpu = simulation.create_process(Box::new(
            #[coroutine]
            move |_| loop {
                yield Quiet(Effect::Pull(store));
                let demand = demands.borrow_mut().next(MEAN);
                yield Quiet(Effect::TimeOut(demand));
                done.set(done.get() + 1);
            },
        ));
        simulation.schedule_event(0.0, cpu, Quiet(Effect::Wait));
    }
    let (count, mut gaps) = (done.clone(), Draws::new("arrivals"));
    let arrivals = simulation.create_process(Box::new(
        #[coroutine]
        move |_| loop {
            let gap = gaps.next(MEAN / (LOAD * f64::from(CPUS)));
            yield Quiet(Effect::TimeOut(gap));
            count.set(count.get() + 1);
            yield Quiet(Effect::Push(store));
        },
    ));
    simulation.schedule_event(0.0, arrivals, Quiet(Effect::Wait));
    Desim { simulation, done }
}

pub fn run(workload: Workload) -> Box<dyn Run> {
    Box::new(match workload {
        Workload::Fifo => closed(false),
        Workload::RoundRobin => closed(true),
        Workload::Open => open(),
    })
}
