//! The model's own structures behind the twins' traits, and their sums by name.
use crate::alike::{Figures, Line, Rooms, Server, Table, Wire};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::ids::Pid;
use wwi_model::meet::device::{Device, DeviceSums, ServiceTime, Started};
use wwi_model::meet::link::{Link, LinkSums};
use wwi_model::meet::lock::{Answer, LockId, LockSums, Locks, Mode, Owner};
use wwi_model::meet::queue::{Queue, QueueSums};

/// What the model has.
pub struct Real;

/// Locks by number.
pub struct Numbered {
    table: Locks,
    ids: Vec<LockId>,
}

impl Rooms for Real {
    type Line = Queue<u32>;
    type Server = Device<u32>;
    type Wire = Link;
    type Table = Numbered;
    fn line(capacity: Option<u32>) -> Queue<u32> {
        Queue::new(capacity)
    }
    fn server(width: u32, service: ServiceTime, stream: Stream) -> Device<u32> {
        Device::new(width, service, stream)
    }
    fn wire(latency: Ns, bytes_per_s: Option<f64>) -> Link {
        Link::new(latency, bytes_per_s)
    }
    fn table(locks: u32) -> Numbered {
        let mut table = Locks::default();
        let ids = (0..locks).map(|_| table.create()).collect();
        Numbered { table, ids }
    }
}

pub fn queue_figures(sums: &QueueSums) -> Figures {
    Figures {
        counts: vec![
            ("puts", sums.puts.into()),
            ("takes", sums.takes.into()),
            ("item_time", sums.item_time),
            ("wait_time", sums.wait_time),
        ],
        spans: Vec::new(),
    }
}

pub fn device_figures(sums: &DeviceSums) -> Figures {
    Figures {
        counts: vec![
            ("submitted", sums.submitted.into()),
            ("completed", sums.completed.into()),
            ("busy", sums.busy),
            ("queued", sums.queued),
        ],
        spans: vec![("response", sums.response.clone()), ("service", sums.service.clone())],
    }
}

pub fn link_figures(sums: &LinkSums) -> Figures {
    Figures {
        counts: vec![("messages", sums.messages.into()), ("bytes", sums.bytes.into()), ("busy", sums.busy)],
        spans: vec![("delay", sums.delay.clone())],
    }
}

pub fn lock_figures(sums: &LockSums) -> Figures {
    Figures {
        counts: vec![
            ("requests", sums.requests.into()),
            ("at once", sums.at_once.into()),
            ("waits", sums.waits.into()),
            ("refused", sums.refused.into()),
            ("conversions", sums.conversions.into()),
        ],
        spans: vec![("wait", sums.wait.clone())],
    }
}

impl Line for Queue<u32> {
    fn put(&mut self, item: u32, now: Ns, woken: &mut Vec<Pid>) {
        Queue::put(self, item, now, woken);
    }
    fn take(&mut self, now: Ns, woken: &mut Vec<Pid>) -> Option<(u32, Ns)> {
        Queue::take(self, now, woken)
    }
    fn len(&self) -> usize {
        Queue::len(self)
    }
    fn has_room(&self) -> bool {
        Queue::has_room(self)
    }
    fn await_items(&mut self, pid: Pid, least: u32, now: Ns) -> bool {
        Queue::await_items(self, pid, least, now)
    }
    fn await_room(&mut self, pid: Pid, now: Ns) -> bool {
        Queue::await_room(self, pid, now)
    }
    fn again_items(&mut self, pid: Pid, least: u32, now: Ns) -> bool {
        Queue::again_items(self, pid, least, now)
    }
    fn again_room(&mut self, pid: Pid, now: Ns) -> bool {
        Queue::again_room(self, pid, now)
    }
    fn leave(&mut self, pid: Pid, now: Ns, woken: &mut Vec<Pid>) {
        Queue::leave(self, pid, now, woken);
    }
    fn figures(&mut self, now: Ns) -> Figures {
        queue_figures(self.sums(now))
    }
}

impl Server for Device<u32> {
    fn submit(&mut self, request: u32, now: Ns) -> Option<Started> {
        Device::submit(self, request, now)
    }
    fn completed(&mut self, slot: u32, now: Ns) -> Option<(u32, Option<Started>)> {
        Device::completed(self, slot, now)
    }
    fn figures(&mut self, now: Ns) -> Figures {
        device_figures(self.sums(now))
    }
}

impl Wire for Link {
    fn send(&mut self, bytes: u64, now: Ns) -> Ns {
        Link::send(self, bytes, now)
    }
    fn figures(&mut self, now: Ns) -> Figures {
        link_figures(self.sums(now))
    }
}

/// Hands grants on by number of owner.
fn numbered(granted: &mut Vec<(u32, Mode)>, act: impl FnOnce(&mut Vec<(Owner, Mode)>)) {
    let mut owners: Vec<(Owner, Mode)> = granted.drain(..).map(|g| (Owner(g.0), g.1)).collect();
    act(&mut owners);
    granted.extend(owners.into_iter().map(|g| (g.0 .0, g.1)));
}

impl Numbered {
    pub fn sums(&self) -> &LockSums {
        self.table.sums()
    }
}

impl Table for Numbered {
    fn request(&mut self, lock: u32, owner: u32, mode: Mode, now: Ns, wanted: &mut Vec<u32>) -> Answer {
        let mut owners: Vec<Owner> = wanted.drain(..).map(Owner).collect();
        let answer = self.table.request(self.ids[lock as usize], Owner(owner), mode, now, &mut owners);
        wanted.extend(owners.into_iter().map(|owner| owner.0));
        answer
    }
    fn give(&mut self, lock: u32, owner: u32, to: Mode, now: Ns, granted: &mut Vec<(u32, Mode)>) {
        let lock = self.ids[lock as usize];
        numbered(granted, |granted| self.table.give(lock, Owner(owner), to, now, granted));
    }
    fn leave(&mut self, owner: u32, now: Ns, granted: &mut Vec<(u32, Mode)>) {
        numbered(granted, |granted| self.table.leave(Owner(owner), now, granted));
    }
    fn gone(&mut self, owner: u32, now: Ns, granted: &mut Vec<(u32, Mode)>) {
        numbered(granted, |granted| self.table.gone(Owner(owner), now, granted));
    }
    fn held(&self, lock: u32, owner: u32) -> Mode {
        self.table.held(self.ids[lock as usize], Owner(owner))
    }
    fn figures(&mut self, _now: Ns) -> Figures {
        lock_figures(self.table.sums())
    }
}
