//! A twin of the dice in `sched_balance_newidle` of Linux 6.12 (kernel/sched/fair.c, NI_RANDOM on).

/// One scheduling domain of one CPU, as far as dice go.
pub struct Sd {
    /// `newidle_call`: attempts counted so far, halved each time it comes to 1024.
    pub call: u32,
    /// `newidle_success`: weighted successes counted so far, halved together with `call`.
    pub success: u32,
    /// `newidle_ratio`: `success` as it stood when `call` last came to 1024.
    pub ratio: u32,
}

impl Sd {
    /// The values that `sd_init` in topology.c sets: half of the attempts succeed.
    pub fn new() -> Sd {
        Sd { call: 512, success: 256, ratio: 512 }
    }

    /// `update_newidle_stats`: the ratio is taken before the halving.
    fn update_stats(&mut self, success: u32) {
        self.call += 1;
        self.success += success;
        if self.call >= 1024 {
            self.ratio = self.success;
            self.call /= 2;
            self.success /= 2;
        }
    }
}

impl Default for Sd {
    fn default() -> Sd {
        Sd::new()
    }
}

/// What one pass of the function did.
pub struct Pass {
    /// Levels where the dice said yes and `balance` was asked, in order.
    pub searched: Vec<usize>,
    /// Whether somebody was pulled.
    pub pulled: bool,
}

/// One `sched_balance_newidle`: the flag is read once, the dice are thrown anew in each domain.
pub fn newidle(
    sds: &mut [Sd],
    overloaded: bool,
    d1k: &mut dyn FnMut() -> u32,
    balance: &mut dyn FnMut(usize) -> bool,
) -> Pass {
    let mut pass = Pass { searched: Vec::new(), pulled: false };
    if !overloaded {
        return pass;
    }
    for (level, sd) in sds.iter_mut().enumerate() {
        let dice = d1k();
        let chance = 1 + sd.ratio;
        if dice > chance {
            // The dice say no: counts as a failed attempt, and the next domain has its turn.
            sd.update_stats(0);
            continue;
        }
        // Who seldom tries counts each success for more; taken from the ratio before the attempt.
        let weight = (1024 + chance / 2) / chance;
        pass.searched.push(level);
        pass.pulled = balance(level);
        sd.update_stats(if pass.pulled { weight } else { 0 });
        if pass.pulled {
            break;
        }
    }
    pass
}

// (a) To 1: add_nr_running when rq->nr_running (all classes, who runs included) goes from below 2 to 2 or more, at any
//     enqueue, also attach after a pull; or update_sd_lb_stats (see b) when update_sg_lb_stats finds any CPU with
//     nr_running > 1 or, with SD_ASYM_CPUCAPACITY, a misfit outside the local group. sub_nr_running never writes.
// (b) To 0: only update_sd_lb_stats in a domain without parent (the top), when it finds none of these in env->cpus
//     (a new root domain also starts with 0). It runs in sched_balance_rq > sched_balance_find_src_group, before and
//     regardless of any pull; all idle types: CPU_NEWLY_IDLE (sched_balance_newidle; needs flag 1 at the start, yes of
//     the top's dice, no pull below), CPU_IDLE and not idle (sched_balance_domains: tick or nohz; no dice, flag not
//     read, only where the interval of the top is over). should_we_balance no: no look, flag stays, walk balances no
//     higher; newidle (no only if nr_running > 0, ttwu_pending or CPU not in env->cpus) counts a failed call.
//     LBF_ALL_PINNED: redo looks again WITHOUT the busiest CPU, so it may write 0 though that one still has 2.
// (c) Dice no: flag untouched (at the top too, so a stale 1 stays); update_newidle_stats(sd, 0): call + 1, success + 0,
//     ratio and halving at 1024; no cost update; walk goes on upward. Flag 0 at the start: no dice, no statistics.
// (d) Yes: dequeue_entity is false after set_delayed, so dequeue_entities returns -1 before sub_nr_running; the sleeper
//     stays in nr_running for add_nr_running and update_sg_lb_stats until really dequeued (pick_next_entity and
//     others). Woken before that (ttwu_runnable, requeue_delayed_entity): no add_nr_running, so that sets no flag.
