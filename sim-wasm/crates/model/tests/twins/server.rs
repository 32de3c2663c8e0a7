//! The deferrable deadline server of fair tasks, flag by flag as kernel/sched/deadline.c of Linux 6.12 and 6.18 has it;
//! in exact time, so that a timer does not start only if its moment is strictly past. The deadline is the period.
use std::collections::BTreeMap;
use wwi_kernel::{rng::Stream, time::Ns};
use wwi_model::host::realtime::Server;

/// One `sched_dl_entity` and the clock of its run queue.
#[derive(Clone, Debug, Default)]
struct Slow {
    share: i64,
    period: i64,
    active: bool,
    throttled: bool,
    armed: bool,
    running: bool,
    queued: bool,
    runtime: i64,
    deadline: i64,
    timer: Option<i64>,
    now: i64,
}

impl Slow {
    /// The letter that the kernel's own drawing gives to these flags; without idle-wait, C, it knows no others.
    fn state(&self) -> char {
        match (self.active, self.throttled, self.armed, self.running, self.queued, self.timer.is_some()) {
            (false, false, false, _, false, false) => 'A',
            (true, true, true, false, false, true) => 'B',
            (true, false, false, _, true, false) => 'D',
            (true, true, false, _, false, true) => 'E',
            _ => panic!("no such state: {self:?}"),
        }
    }
    /// What update_dl_revised_wakeup() would leave; dl_entity_overflow() is whether more is left.
    fn fitting(&self) -> (i64, bool) {
        let product = i128::from(self.deadline - self.now) * i128::from(self.share);
        ((product / i128::from(self.period)) as i64, product < i128::from(self.runtime) * i128::from(self.period))
    }
    /// replenish_dl_new_period()
    fn new_period(&mut self) {
        (self.deadline, self.runtime) = (self.now + self.period, self.share);
        (self.throttled, self.armed) = (self.throttled || !self.running, self.armed || !self.running);
    }
    /// start_dl_timer(): for the last moment that suffices if armed, else dl_next_period(); one that is queued stays.
    fn start_timer(&mut self) -> bool {
        let expiry = if self.armed { self.deadline - self.runtime } else { self.deadline };
        self.timer = self.timer.or(Some(expiry).filter(|e| *e >= self.now));
        expiry >= self.now
    }
    /// dl_server_start() with update_dl_entity() and enqueue_dl_entity(), which finds no timer too late
    fn start(&mut self) {
        if !std::mem::replace(&mut self.active, true) {
            if self.deadline < self.now {
                self.running = false;
                self.new_period();
            } else if self.fitting().1 {
                self.runtime = self.fitting().0;
            } else if !self.running {
                (self.armed, self.throttled) = (true, true);
            }
            self.queued = !self.throttled || !self.start_timer();
        }
    }
    /// dl_server_stop()
    fn stop(&mut self) {
        (self.active, self.throttled, self.armed, self.queued, self.timer) = (false, false, false, false, None);
    }
    /// dl_server_update() with update_curr_dl_se() and dl_runtime_exceeded(); of a new period the timer does start
    fn charge(&mut self, ran: i64) {
        self.runtime -= if self.active { ran } else { 0 };
        if self.active && ran > 0 && self.runtime <= 0 {
            if self.throttled {
                (self.running, self.timer) = (false, None);
                self.new_period();
            }
            (self.throttled, self.queued) = (true, false);
            while !self.start_timer() {
                self.new_period();
            }
        }
    }
    /// dl_server_update_idle_time(): whatever state the server is in, which it leaves, and the timer, as they are
    fn idled(&mut self, span: i64) {
        if self.runtime >= 0 {
            self.running &= span <= self.runtime;
            self.runtime = (self.runtime - span).max(0);
        }
    }
    /// dl_server_timer() with replenish_dl_entity() and enqueue_dl_entity(); what runs has not been charged up to now
    fn fire(&mut self) {
        let zero_laxity = self.deadline - self.runtime;
        self.timer = Some(zero_laxity).filter(|at| self.armed && self.now < at - 1_000_000);
        if self.throttled && self.timer.is_none() {
            self.running |= self.armed;
            if self.armed && self.fitting().1 {
                (self.deadline, self.runtime) = (self.now + self.period, self.share);
            }
            while self.runtime <= 0 {
                (self.deadline, self.runtime) = (self.deadline + self.period, self.runtime + self.share);
            }
            assert!(self.deadline >= self.now, "the kernel's lag too much, for which its timer has to be late");
            let defer = !self.armed && !self.running && self.now < self.deadline - self.runtime;
            (self.throttled, self.armed) = (defer, defer);
            self.queued = !self.throttled || !self.start_timer();
        }
    }
}

/// A CPU with both servers, who is there, since when what it does is unaccounted, and how often which call did what.
struct Cpu {
    fast: Server,
    slow: Slow,
    since: i64,
    fair: bool,
    real_time: bool,
    seen: BTreeMap<String, u32>,
    place: (u64, u32),
}

impl Cpu {
    fn new(place: (u64, u32), share: u64, period: u64, seen: BTreeMap<String, u32>) -> Self {
        let slow = Slow { share: share as i64, period: period as i64, deadline: -1, ..Slow::default() };
        Cpu { fast: Server::new(Ns(share), Ns(period)), slow, since: 0, fair: false, real_time: false, seen, place }
    }
    /// The same to both, after which they must agree: start, fire, stop, charge or idled, these two for a span.
    fn call(&mut self, call: &str, span: i64) -> (bool, Option<i64>, i64) {
        let (before, now, slow) = (self.slow.clone(), Ns(self.slow.now as u64), &mut self.slow);
        match call {
            "start" => (self.fast.start(now), slow.start()).1,
            "fire" => (self.fast.fire(now), slow.fire()).1,
            "stop" => (self.fast.stop(), slow.stop()).1,
            "charge" => (self.fast.charge(Ns(span as u64), now), slow.charge(span)).1,
            _ => (self.fast.idled(Ns(span as u64)), slow.idled(span)).1,
        }
        let told = (self.fast.is_queued(), self.fast.due(), self.fast.left());
        let expected = (slow.queued, slow.timer.map_or(Ns::MAX, |expiry| Ns(expiry as u64)), slow.runtime);
        assert_eq!(told, expected, "(seed, step) {:?}, {call} {span}; {before:?} became {slow:?}", self.place);
        let (from, to) = (before.state(), slow.state());
        let how = match (call, from, to) {
            ("idled", ..) if before.runtime == slow.runtime && before.running == slow.running => "nothing",
            ("idled", ..) if before.runtime < span => "clamped",
            ("charge", ..) if from == to && before.timer == slow.timer => "part",
            ("charge", 'D', 'E') if slow.runtime > 0 => "late",
            ("start", 'A', 'B') if before.deadline == slow.deadline => "kept",
            ("start", 'A', 'D') if before.runtime != slow.runtime => "revised",
            ("start", 'A', 'D') | ("fire", 'B', 'D') if before.runtime == 0 => "empty",
            _ => call,
        };
        *self.seen.entry(format!("{from}{to} {how}")).or_insert(0) += 1;
        (slow.queued, slow.timer, slow.runtime)
    }
    /// Accounts what the CPU did since that was last done: ordinary tasks are charged for; idling ends, and counts now.
    fn account(&mut self) {
        let span = self.slow.now - std::mem::replace(&mut self.since, self.slow.now);
        if !self.real_time || (self.fair && self.slow.queued) {
            self.call(if self.fair { "charge" } else { "idled" }, span);
        }
    }
    /// Time passes: none, 1 ms, at random, all that is left, up to the deadline or timer, which fires; somebody moves.
    fn step(&mut self, step: u32, random: &mut Stream) {
        let (now, left, scale) = (self.slow.now, self.slow.runtime.max(0) as u64, 1000 << random.below(22));
        let end = self.slow.timer.unwrap_or(self.slow.deadline.min(now + self.slow.period)).max(now);
        let spans = [random.below(2) * 1_000_000, scale + random.below(scale), left, (end - now) as u64];
        let then = now + spans[random.below(4) as usize] as i64;
        (self.slow.now, self.place.1) = (self.slow.timer.unwrap_or(then).min(then), step);
        // What ordinary tasks ran may be charged for only after the timer has fired; real-time ones make way then.
        if self.slow.timer == Some(self.slow.now) && (self.real_time || self.fair && random.below(2) == 0) {
            self.account();
        }
        if self.slow.timer == Some(self.slow.now) {
            self.call("fire", 0);
        }
        match random.below(9) {
            0..=2 if self.fair => self.account(),
            5 | 6 if self.fair || !self.slow.queued => (self.account(), self.real_time = !self.real_time).1,
            7 | 8 if self.fair => (self.account(), self.fair = false).1,
            // Even just after the timer has fired on an idle CPU, before the server is stopped for want of tasks.
            7 | 8 => (self.account(), self.call("start", 0), self.fair = true).2,
            _ => {}
        }
        if self.slow.queued && !self.fair {
            self.call("stop", 0);
        }
    }
}

/// Plays lines of moment, call, its span; then whether queued, when due, what is left; all in ms. Someone comes at 0.
fn play(parts: &[&str]) {
    let mut cpu = Cpu::new((0, 0), 50_000_000, 1_000_000_000, BTreeMap::new());
    for line in ["0 start - off 950 50"].iter().chain(parts).flat_map(|part| part.split(';')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ns = |word: usize| words[word].parse().ok().map(|ms: f64| (ms * 1e6).round() as i64);
        cpu.slow.now = ns(0).unwrap_or(0);
        assert_eq!(cpu.call(words[1], ns(2).unwrap_or(0)), (words[3] == "on", ns(4), ns(5).unwrap_or(0)), "{line}");
    }
}

#[test]
fn the_deadline_server_does_as_the_text_says() {
    let mut seen = BTreeMap::new();
    for seed in 0..2000 {
        let mut random = Stream::new(seed, 0, "twins", 0, "server");
        let percent = if seed % 4 == 0 { 10_000_000 } else { 100_000 + random.below(20_000_000) };
        let share = if seed % 4 == 0 { 5 * percent } else { percent + random.below(80 * percent) };
        let mut cpu = Cpu::new((seed, 0), share, 100 * percent, seen);
        (0..200).for_each(|step| cpu.step(step, &mut random));
        seen = cpu.seen;
    }
    let drawn = "AB start,AD start,AD revised,BB charge,BD fire,BB fire,DA stop,DE charge,ED fire,EB charge";
    // And what it lacks, for it knows neither idle time that leaves the state as it is nor charges past the deadline.
    let idle = "AA idled,AA clamped,BB idled,BB clamped,DD idled,DD clamped,EE idled,EE clamped";
    let other = "AB kept,AD empty,BB part,BD empty,DB charge,DE late,EB fire,EE part";
    for name in [drawn, idle, other].iter().flat_map(|names| names.split(',')) {
        assert!(seen.get(name) >= Some(&100), "{name}: {seen:?}");
    }
}

#[test]
fn worked_examples_of_the_deadline_server() {
    // Hogs: deferred until 1000 - 50; 50 in 50 is too dense then, so 50 until 1950; thereafter 50 from each deadline.
    let first = "950 fire - on - 50";
    play(&[first, "1000 charge 50 off 1950 0; 1950 fire - on - 50; 2000 charge 50 off 2950 0; 2950 fire - on - 50"]);
    // 0.3 after every 4: within the share, for 4 is less than 0.3 * 19. Served at once 166 times and 0.2 ms; the rest
    // at the deadline. At 1954.1 are 49.9 too much for 995.9, of which 5 % are 49.795.
    let mut all = first.to_string();
    for (at, left) in (0..166).map(|piece| (950.0 + 4.3 * f64::from(piece), 50.0 - 0.3 * f64::from(piece))) {
        let then = format!("{0} charge 0.3 on - {1}; {0} stop - off - {1}", at + 0.3, left - 0.3);
        all += &format!("; {at} start - on - {left}; {then}");
    }
    let rest = "1663.8 start - on - 0.2; 1664 charge 0.2 off 1950 0; 1950 fire - on - 50; 1950.1 charge 0.1 on - 49.9";
    play(&[&all, rest, "1950.1 stop - off - 49.9; 1954.1 start - on - 49.795"]);
    // After the deadline: as if new, 950. At it: 5 % of no time, throttled by the first charge, which is past it, until
    // the end of a new period, with all of that left. Then the deadline is past once more: from now on 50 in 1050.
    let past = "950 fire - on - 50; 960 charge 10 on - 40; 960 stop - off - 40";
    play(&[past, "1950.000001 start - off 2900.000001 50; 2900.000001 fire - on - 50"]);
    play(&[past, "1950 start - on - 0; 1951 charge 1 off 2951 50; 2951 fire - on - 50; 3001 charge 50 off 4001 50"]);
    // Of the 60 after 950, 10 run and 30 idle: 10 are left, less than 5 % of 940, so who comes then has them at once.
    play(&[past, "990 idled 30 off - 10; 1010 start - on - 10; 1020 charge 10 off 1950 0; 1950 fire - on - 50"]);
    // 41 idle instead use all up: who comes at 1001 waits until 1950 - 0; if 1 runs until 1011, until 2011 - 50.
    let idle = "1001 idled 41 off - 0; 1001 start - off 1950 0";
    play(&[past, idle, "1950 fire - on - 50; 2000 charge 50 off 2950 0"]);
    play(&[past, idle, "1011 charge 1 off 1961 50; 1961 fire - on - 50"]);
    // Just 40 idle leave nothing, yet who comes is served undeferred: for one charge, which is missing at 1950.
    play(&[past, "1000 idled 40 off - 0; 1000 start - on - 0; 1001 charge 1 off 1950 -1; 1950 fire - on - 49"]);
    // Deferred, of 40 left 90 idle: the timer finds nothing left, so that its moment is the deadline itself.
    play(&["10 charge 10 off 950 40; 100 idled 90 off 950 0; 950 fire - off 1000 0; 1000 fire - on - 50"]);
    // Nothing left and 5 idle: deferred at 1950, until 2950 - 50. But after 0.1 too much idling counts for nothing.
    play(&[first, "1000 charge 50 off 1950 0; 1005 idled 5 off 1950 0; 1950 fire - off 2900 50; 2900 fire - on - 50"]);
    play(&[first, "1000.1 charge 50.1 off 1950 -0.1; 1005.1 idled 5 off 1950 -0.1; 1950 fire - on - 49.9"]);
}
