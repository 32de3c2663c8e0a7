//! Processes meet: queues, devices, links and locks, and who wakes by them. What is put by a timer, a device or a link
//! wakes from an interrupt's thread.
use crate::ids::{DeviceId, LinkId, Pid, QueueId, ThreadId};
use crate::measure::events::Activity;
use crate::meet::lock::{Answer, LockId, Mode, Owner};
use crate::program::{Item, On, Resume};
#[cfg(test)]
use crate::world::database_books::{note, Note};
use crate::world::wake::Waker;
use crate::world::{Parcel, Timer, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

impl World {
    /// Owners of locks: first the instances, then the processes.
    pub(crate) fn owner(&self, pid: Pid) -> Owner {
        Owner(self.instances.len() as u32 + pid.0)
    }

    /// The process that an owner is; none for an instance.
    fn process_of(&self, owner: Owner) -> Option<Pid> {
        owner.0.checked_sub(self.instances.len() as u32).map(Pid)
    }

    /// What a process holds of a lock its instance holds from now on, beside what it holds already: no end of a process
    /// lets it go, but a process of the instance that gives it down with [`crate::program::Step::Unlock`]. An instance
    /// never waits.
    pub fn hand_to_instance(&mut self, pid: Pid, lock: LockId) {
        let instance = self.processes[pid.i()].instance;
        if usize::from(instance) < self.instances.len() {
            self.locks.pass(lock, self.owner(pid), Owner(u32::from(instance)));
        }
    }

    /// An instance is told in `queue` that somebody wants a lock that it holds.
    pub fn tell_instance_wanted(&mut self, instance: usize, queue: QueueId) {
        self.instances[instance].wanted = Some(queue);
    }

    /// Takes the oldest item of a queue, with the moment when it was put. Who waited for room wakes once the taker has
    /// gone on.
    pub fn take(&mut self, queue: QueueId) -> Option<(Item, Ns)> {
        let found = self.queues[queue.i()].take(self.now, &mut self.woken);
        if !self.woken.is_empty() {
            self.wakes.extend(self.woken.drain(..));
        }
        found
    }

    /// Puts an item from a thread, or from outside every host. Who waits for it wakes now.
    pub(crate) fn put(&mut self, queue: QueueId, item: Item, mut waker: Waker) {
        waker.is_message |= self.queues[queue.i()].is_channel();
        self.queues[queue.i()].put(item, self.now, &mut self.woken);
        // Mostly it is one, or none.
        if self.woken.len() <= 1 {
            return self.woken.pop().into_iter().for_each(|other| self.met(other, item.was, waker));
        }
        let mut woken = std::mem::take(&mut self.woken);
        woken.drain(..).for_each(|other| self.met(other, item.was, waker));
        self.woken = woken;
    }

    /// What a process waits for holds; who sees to that may say what the wait was.
    #[inline]
    fn met(&mut self, pid: Pid, was: Option<Activity>, waker: Waker) {
        if let Some(event) = was {
            self.name_wait(pid, event);
        }
        self.wake(pid, Resume::Met, waker);
    }

    /// As [`World::put`], by an interrupt on a host: of a message, or of a timer or device. Which of its CPUs handles
    /// it is asked only where somebody wakes.
    pub(crate) fn put_by_interrupt(&mut self, queue: QueueId, item: Item, node: usize, is_message: bool) {
        let is_awaited = self.queues[queue.i()].is_awaited();
        let waker = if is_awaited { self.interrupted(node) } else { Waker::default() };
        self.put(queue, item, Waker { is_message, ..waker });
        self.wake_others(waker.at);
    }

    /// A device gets a request; what it names is put into its queue, on its host, when it is done.
    pub fn submit(&mut self, device: DeviceId, parcel: Parcel) {
        self.submit_long(device, parcel, Ns::ZERO);
    }

    /// The same where its length adds so much to its service.
    pub fn submit_long(&mut self, device: DeviceId, parcel: Parcel, transfer: Ns) {
        #[cfg(test)]
        note(Note::Submitted(device, parcel.queue, parcel.item.tag));
        if let Some(started) = self.devices[usize::from(device.0)].submit_long(parcel, transfer, self.now) {
            self.calendar.schedule(started.done, Phase::Complete, Timer::Device(device, started.slot));
        }
    }

    /// A request of a device is done, and the next one starts.
    pub(crate) fn device_done(&mut self, device: DeviceId, slot: u32) {
        let Some((parcel, next)) = self.devices[usize::from(device.0)].completed(slot, self.now) else { return };
        if let Some(started) = next {
            self.calendar.schedule(started.done, Phase::Complete, Timer::Device(device, started.slot));
        }
        #[cfg(test)]
        note(Note::Done(parcel.queue, parcel.item.tag));
        self.put_by_interrupt(parcel.queue, parcel.item, usize::from(parcel.node), false);
    }

    /// Sends so many bytes over a link; what they say is put into a queue of the host at its end when they arrive.
    pub fn send(&mut self, link: LinkId, bytes: u64, parcel: Parcel) {
        let arrival = self.links[usize::from(link.0)].send(bytes, self.now);
        let place = self.keep_parcel(parcel);
        self.calendar.schedule(arrival, Phase::Complete, Timer::Arrival(place));
    }

    /// Keeps a message until it arrives. Returns its place.
    pub(crate) fn keep_parcel(&mut self, parcel: Parcel) -> u32 {
        let place = self.free_parcels.pop().unwrap_or(self.parcels.len() as u32);
        match self.parcels.get_mut(place as usize) {
            Some(free) => *free = parcel,
            None => self.parcels.push(parcel),
        }
        place
    }

    /// A message comes in, once the port of its host has taken it.
    pub(crate) fn comes_in(&mut self, place: u32) {
        if self.is_taken(place, Timer::Arrival(place)) {
            self.arrived(place);
        }
    }

    /// A message arrives.
    pub(crate) fn arrived(&mut self, place: u32) {
        let parcel = self.parcels[place as usize];
        self.free_parcels.push(place);
        self.put_by_interrupt(parcel.queue, parcel.item, usize::from(parcel.node), true);
    }

    /// Holders of locks of this process are told in `queue` that somebody wants what it holds.
    pub fn tell_wanted(&mut self, pid: Pid, queue: QueueId) {
        self.tasks[pid.i()].wanted = Some(queue);
    }

    /// A process asks for a lock: how it goes on, or nothing if it waits.
    pub(crate) fn ask_lock(&mut self, pid: Pid, lock: LockId, mode: Mode) -> Option<Resume> {
        let mut wanted = Vec::new();
        match self.locks.request(lock, self.owner(pid), mode, self.now, &mut wanted) {
            Answer::Granted => Some(Resume::Met),
            Answer::Refused => Some(Resume::Refused),
            Answer::Waits => {
                // They are told once it waits.
                let queue = |holder: Owner| match self.process_of(holder) {
                    Some(pid) => self.tasks[pid.i()].wanted,
                    None => self.instances[holder.0 as usize].wanted,
                };
                let told: Vec<QueueId> = wanted.into_iter().filter_map(queue).collect();
                let item = Item { tag: lock.0, ..Item::default() };
                self.notices.extend(told.into_iter().map(|queue| (queue, item)));
                None
            }
        }
    }

    /// A process gives a lock down to a lesser mode, or up; one that holds nothing of it does so for its instance. Who
    /// gets it wakes now.
    pub(crate) fn unlock(&mut self, pid: Pid, lock: LockId, to: Mode, waker: Option<ThreadId>) {
        let mut granted = Vec::new();
        let owner = match self.locks.held(lock, self.owner(pid)) {
            Mode::Null => Owner(u32::from(self.processes[pid.i()].instance)),
            _ => self.owner(pid),
        };
        self.locks.give(lock, owner, to, self.now, &mut granted);
        self.granted(granted, waker);
    }

    fn granted(&mut self, granted: Vec<(Owner, Mode)>, waker: Option<ThreadId>) {
        for (other, _) in granted {
            if let Some(pid) = self.process_of(other) {
                self.wake(pid, Resume::Met, waker.into());
            }
        }
    }

    /// A process that is gone waits for no lock and holds none.
    pub(crate) fn drop_locks(&mut self, pid: Pid) {
        let mut granted = Vec::new();
        self.locks.gone(self.owner(pid), self.now, &mut granted);
        self.granted(granted, None);
    }

    /// Whether what a process waits for holds; if not, it stands in line for it: in front if it was woken in vain.
    #[inline(always)]
    pub(crate) fn stand_in_line(&mut self, pid: Pid, on: On, is_again: bool) -> bool {
        let now = self.now;
        match on {
            On::Items(queue, least) if is_again => self.queues[queue.i()].again_items(pid, least, now),
            On::Items(queue, least) => self.queues[queue.i()].await_items(pid, least, now),
            On::Room(queue) if is_again => self.queues[queue.i()].again_room(pid, now),
            On::Room(queue) => self.queues[queue.i()].await_room(pid, now),
            On::Time | On::Lock(..) => false,
        }
    }

    /// A process stands in no line any more.
    pub(crate) fn leave_line(&mut self, pid: Pid) {
        match self.tasks[pid.i()].wait.map(|wait| wait.on) {
            Some(On::Items(queue, _) | On::Room(queue)) => {
                let mut woken = std::mem::take(&mut self.woken);
                self.queues[queue.i()].leave(pid, self.now, &mut woken);
                self.wakes.extend(woken.drain(..));
                self.woken = woken;
            }
            Some(On::Lock(..)) => {
                let mut granted = Vec::new();
                self.locks.leave(self.owner(pid), self.now, &mut granted);
                let woken: Vec<Pid> = granted.into_iter().filter_map(|(other, _)| self.process_of(other)).collect();
                self.wakes.extend(woken);
            }
            Some(On::Time) | None => {}
        }
    }
}
