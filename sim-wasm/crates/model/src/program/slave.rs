//! Slaves of parallel queries: those of the first set scan, those of the second join or sort what comes; both send rows
//! on in buffers, and wait where none is free.
use super::parallel::cpu;
use super::session::draw;
use super::{On, Program, Step};
use crate::cluster::parallel::Arrived;
use crate::config::parallel::ParallelQuery;
use crate::config::{Demand, DemandShape};
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::world::World;
use wwi_kernel::time::Ns;

/// The number of its query, its own in that, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Number of the query.
    pub query: u32,
    /// Its own.
    pub slave: u16,
    /// Where it stands.
    pub stage: Stage,
}

/// Where a slave stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Is needed by nobody, or has just been woken.
    Idle,
    /// Takes up a message that starts it.
    Starts,
    /// Scans rows of a granule that fill no buffer yet.
    Scans,
    /// Waits for a free buffer, or has just been woken.
    Blocked,
    /// Fills a buffer and sends it.
    Fills,
    /// Waits for rows, or has just been woken.
    Awaits,
    /// Joins the rows of a buffer.
    Joins,
    /// Has sent its last row, and waits for the end.
    Done,
    /// Takes up the message of the end.
    Closes,
}

/// The slaves that an instance has for all queries.
pub fn start(world: &mut World, instance: usize) {
    let node = world.config.instances[instance].node;
    let mut number = 0;
    for query in 0..world.queries.len() {
        for slave in 0..world.queries[query].slaves.len() {
            let of = &world.queries[query].slaves[slave];
            let queue = of.queue;
            if of.instance != instance {
                continue;
            }
            let program = Program::Slave(At { query: query as u32, slave: slave as u16, stage: Stage::Idle });
            let pid = world.admit(program, node, instance as u16, (instance as u64) << 32 | number);
            world.born(pid, On::Items(queue, 1), None);
            number += 1;
        }
    }
}

/// The next step of a slave.
pub fn next(world: &mut World, pid: Pid, At { query, slave, stage }: At) -> Step {
    let number = query as usize;
    let Some(of) = world.parallel(number) else { return Step::Exit };
    let mut turn = Turn { world, pid, query: number, slave: usize::from(slave), of };
    let (stage, step) = match stage {
        Stage::Idle | Stage::Done => turn.hears(stage, true),
        Stage::Starts | Stage::Scans => {
            turn.asks();
            turn.goes()
        }
        Stage::Blocked => turn.fills(true),
        Stage::Fills => {
            turn.asks();
            turn.world.send_buffer(turn.query, turn.slave);
            turn.goes()
        }
        Stage::Awaits => turn.rows(true),
        Stage::Joins => turn.joined(),
        Stage::Closes => turn.hears(Stage::Idle, false),
    };
    world.tasks[pid.i()].program = Program::Slave(At { query, slave, stage });
    step
}

struct Turn<'a> {
    world: &'a mut World,
    pid: Pid,
    query: usize,
    slave: usize,
    of: ParallelQuery,
}

type Next = (Stage, Step);

impl Turn<'_> {
    fn is_first_set(&self) -> bool {
        self.slave < self.of.degree as usize
    }

    /// From the coordinator to it.
    fn way(&self) -> (usize, usize) {
        let query = &self.world.queries[self.query];
        (query.instance, query.slaves[self.slave].instance)
    }

    /// Takes a message up that comes between two executions or at the end of one; else waits for it.
    fn hears(&mut self, stage: Stage, was_woken: bool) -> Next {
        let queue = self.world.queries[self.query].slaves[self.slave].queue;
        let event = if stage == Stage::Idle { Activity::OFF } else { Activity::PX_EXECUTION_MSG };
        let Some((item, _)) = self.world.take(queue) else {
            let wait = Step::Wait { event, on: On::Items(queue, 1), until: None };
            return (stage, if was_woken { Step::Again } else { wait });
        };
        self.takes(item.tag)
    }

    /// Takes a message up.
    fn takes(&mut self, tag: u32) -> Next {
        let word = self.world.message_cost(&self.of, self.way(), false);
        match Arrived::of(tag) {
            Arrived::Start => (Stage::Starts, cpu(word)),
            Arrived::Close => (Stage::Closes, cpu(word)),
            Arrived::Rows(at) => {
                let query = &mut self.world.queries[self.query];
                let buffer = query.takes(at);
                query.slaves[self.slave].present = (at, buffer);
                let way = (query.source(at), query.target(at));
                let rows = Ns::nearest(f64::from(buffer.rows) * self.of.join);
                (Stage::Joins, cpu(self.world.message_cost(&self.of, way, true).plus(rows)))
            }
        }
    }

    /// Goes on with the execution.
    fn goes(&mut self) -> Next {
        if self.is_first_set() {
            self.fills(false)
        } else {
            self.rows(false)
        }
    }

    /// Of the first set: gets the next granule where its own is scanned, until there is none.
    fn asks(&mut self) {
        let query = &self.world.queries[self.query];
        let own = &query.slaves[self.slave];
        if !self.is_first_set() || own.is_over || own.granule.0 > 0 {
            return;
        }
        let rows = query.next_granule(&self.of).unwrap_or(0);
        let row = self.row_of_granule(rows);
        self.world.queries[self.query].gives(&self.of, self.slave, row);
    }

    /// CPU of a row of a granule of so many \[ns\].
    fn row_of_granule(&mut self, rows: u64) -> f64 {
        let instance = self.world.processes[self.pid.i()].instance as usize;
        let shape = self.world.config.instances[instance].workload.demand.shape;
        if rows == 0 || shape == DemandShape::Constant {
            return self.of.scan;
        }
        let demand = Demand { mean: Ns::nearest(rows as f64 * self.of.scan), shape };
        draw(&demand, &mut self.world.streams[self.pid.i()].demand).0 as f64 / rows as f64
    }

    /// CPU to scan rows of its granule.
    fn scan(&self, rows: u64) -> Ns {
        Ns::nearest(rows as f64 * self.world.queries[self.query].slaves[self.slave].granule.1)
    }

    /// Scans what fills no buffer.
    fn scans(&mut self) -> Next {
        let rows = self.world.queries[self.query].scans_rest(self.slave);
        (Stage::Scans, cpu(self.scan(rows)))
    }

    /// Fills the next buffer, once there is a free one.
    fn fills(&mut self, was_woken: bool) -> Next {
        let is_first_set = self.is_first_set();
        let query = &self.world.queries[self.query];
        let due = match is_first_set {
            true => query.next_full(&self.of, self.slave),
            false => query.next_on(&self.of, self.slave).map(|buffer| (query.slaves[self.slave].out.start, buffer)),
        };
        let Some((at, buffer)) = due else {
            let is_scanned = !is_first_set || query.slaves[self.slave].is_over;
            return if is_scanned { self.hears(Stage::Done, false) } else { self.scans() };
        };
        if !self.world.has_credit(self.query, self.slave, at) {
            let on = On::Items(self.world.queries[self.query].slaves[self.slave].freed, 1);
            let wait = Step::Wait { event: Activity::PX_SEND_BLKD, on, until: None };
            return (Stage::Blocked, if was_woken { Step::Again } else { wait });
        }
        let query = &mut self.world.queries[self.query];
        query.channels[at].credits -= 1;
        query.slaves[self.slave].present = (at, buffer);
        let way = (query.source(at), query.target(at));
        let rows = if is_first_set { query.scans_for(&self.of, self.slave, (at, buffer)) } else { 0 };
        let takes = self.world.message_cost(&self.of, way, true).plus(self.scan(rows));
        if !is_first_set {
            self.world.queries[self.query].slaves[self.slave].ready -= u64::from(buffer.rows);
        }
        (Stage::Fills, cpu(takes))
    }

    /// Of the second set: sends on what it has, or takes up more rows.
    fn rows(&mut self, was_woken: bool) -> Next {
        let query = &self.world.queries[self.query];
        if query.next_on(&self.of, self.slave).is_some() || query.next_out(self.slave).is_none() {
            return self.fills(false);
        }
        let queue = query.slaves[self.slave].queue;
        match self.world.take(queue) {
            Some((item, _)) => self.takes(item.tag),
            None => {
                let wait = Step::Wait { event: Activity::PX_TABLE_Q_NORMAL, on: On::Items(queue, 1), until: None };
                (Stage::Awaits, if was_woken { Step::Again } else { wait })
            }
        }
    }

    /// The rows of a buffer are joined.
    fn joined(&mut self) -> Next {
        let at = self.world.queries[self.query].slaves[self.slave].present.0;
        self.world.queries[self.query].joined(&self.of, self.slave);
        self.world.free_buffer(self.query, at);
        self.rows(false)
    }
}
