//! simcore: one component with a queue, an event for each end of a turn and each arrival.
use crate::{Draws, Run, Workload, CPUS, LOAD, MEAN, QUANTUM, SESSIONS, SWITCH};
use serde::Serialize;
use simcore::{cast, Event, EventHandler, Simulation, SimulationContext};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

#[derive(Clone, Serialize)]
struct TurnEnd {
    cpu: u32,
}

#[derive(Clone, Serialize)]
struct Arrival {}

struct Station {
    workload: Workload,
    context: SimulationContext,
    demands: Draws,
    gaps: Draws,
    /// What each session still needs \[s\], and which of them each CPU runs.
    left: Vec<f64>,
    running: Vec<u32>,
    queue: VecDeque<u32>,
    /// Demands that wait in the open queue, and CPUs with nothing to do.
    waiting: VecDeque<f64>,
    free: Vec<u32>,
}

impl Station {
    fn new(workload: Workload, context: SimulationContext) -> Station {
        let mut demands = Draws::new("demand");
        let left = (0..SESSIONS).map(|_| demands.next(MEAN)).collect();
        Station {
            workload,
            context,
            demands,
            gaps: Draws::new("arrivals"),
            left,
            running: (0..CPUS).collect(),
            queue: (CPUS..SESSIONS).collect(),
            waiting: VecDeque::new(),
            free: (0..CPUS).collect(),
        }
    }

    fn start(&mut self) {
        if self.workload == Workload::Open {
            return self.expect_arrival();
        }
        for cpu in 0..CPUS {
            self.begin_turn(cpu, cpu);
        }
    }

    fn expect_arrival(&mut self) {
        let gap = self.gaps.next(MEAN / (LOAD * f64::from(CPUS)));
        self.context.emit_self(Arrival {}, gap);
    }

    fn begin_turn(&mut self, cpu: u32, session: u32) {
        self.running[cpu as usize] = session;
        let needs = self.left[session as usize];
        let turn = if self.workload == Workload::RoundRobin { (needs + SWITCH).min(QUANTUM) } else { needs };
        self.context.emit_self(TurnEnd { cpu }, turn);
    }

    fn end_turn(&mut self, cpu: u32) {
        if self.workload == Workload::Open {
            match self.waiting.pop_front() {
                Some(demand) => {
                    self.context.emit_self(TurnEnd { cpu }, demand);
                }
                None => self.free.push(cpu),
            }
            return;
        }
        let session = self.running[cpu as usize];
        let left = &mut self.left[session as usize];
        *left -= QUANTUM - SWITCH;
        if self.workload == Workload::Fifo || *left <= 0.0 {
            *left = self.demands.next(MEAN);
        }
        self.queue.push_back(session);
        if let Some(next) = self.queue.pop_front() {
            self.begin_turn(cpu, next);
        }
    }

    fn arrive(&mut self) {
        self.expect_arrival();
        let demand = self.demands.next(MEAN);
        match self.free.pop() {
            Some(cpu) => {
                self.context.emit_self(TurnEnd { cpu }, demand);
            }
            None => self.waiting.push_back(demand),
        }
    }
}

impl EventHandler for Station {
    fn on(&mut self, event: Event) {
        cast!(match event.data {
            TurnEnd { cpu } => {
                self.end_turn(cpu)
            }
            Arrival {} => {
                self.arrive()
            }
        })
    }
}

struct Simcore(Simulation);

impl Run for Simcore {
    fn turn(&mut self, events: u64) -> u64 {
        self.0.steps(events);
        events
    }
}

pub fn run(workload: Workload) -> Box<dyn Run> {
    let mut simulation = Simulation::new(42);
    let station = Rc::new(RefCell::new(Station::new(workload, simulation.create_context("station"))));
    simulation.add_handler("station", station.clone());
    station.borrow_mut().start();
    Box::new(Simcore(simulation))
}
