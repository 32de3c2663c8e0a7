//! What a CPU does whose last process has just left it (`newidle_balance` of `fair.c`; Linux 6.6, and 5.16 and before).
use super::domains::Domain;
use wwi_kernel::time::Ns;

/// What a search costs for each CPU of the domain, of what it costs anyway: free.
const SHARE_EACH: u64 = 10;

/// Up to which of the domains, from below, a CPU looks that is usually idle for so long \[ns\], where a search costs
/// `cost` in each domain (`max_newidle_lb_cost`, which the kernel measures), and a tenth for each CPU. `least`: it does
/// not look at all if it is idle for less (`sysctl_sched_migration_cost`, up to 5.16).
pub fn levels(domains: &[Domain], usual_idle: u64, cost: Ns, least: Ns) -> usize {
    if usual_idle < least.0 {
        return 0;
    }
    let mut spent = 0;
    let costs = domains.iter().map(|domain| cost.0 + cost.0 * domain.size as u64 / SHARE_EACH);
    let is_paid = |cost: &u64| {
        spent += cost;
        usual_idle >= spent
    };
    costs.take_while(is_paid).count()
}

/// What a CPU remembers of its searches of a domain as it became idle, where it throws a die first (`NI_RANDOM`;
/// `update_newidle_stats`). Linux 6.19, and the long-term versions since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Luck {
    /// Searches, thrown for in vain too, of which the older count half (`newidle_call`) …
    calls: u32,
    /// … those that found somebody, each for as many as it stands for (`newidle_success`) …
    successes: u32,
    /// … how many did of 1,024, when that was last counted (`newidle_ratio`) …
    ratio: u32,
    /// … and after how many it is counted.
    full: u32,
}

impl Luck {
    /// Sides of the die, and searches after which the kernel counts.
    pub const SIDES: u32 = 1024;
    /// As the kernel starts.
    pub const BOOT: Luck = Luck { calls: 512, successes: 256, ratio: 512, full: Luck::SIDES };
    /// Of a host that has run for long, of which nothing is known yet: counted after 32, then after twice as many each
    /// time, up to 1,024. By the kernel's count it would take minutes of a CPU that seldom becomes idle.
    pub const UNKNOWN: Luck = Luck { calls: 16, successes: 8, ratio: 512, full: 32 };

    /// Whether it searches after a throw, counted from 0; if so, for how many searches this one stands.
    pub fn throw(&mut self, throw: u32) -> Option<u32> {
        let weight = 1 + self.ratio;
        if throw > weight {
            self.note(0);
            return None;
        }
        Some((Luck::SIDES + weight / 2) / weight)
    }

    /// A search has ended: it stood for so many that found somebody, or for none.
    pub fn note(&mut self, found: u32) {
        self.calls += 1;
        self.successes += found;
        if self.calls < self.full {
            return;
        }
        self.ratio = self.successes * (Luck::SIDES / self.full);
        if self.full < Luck::SIDES {
            self.full *= 2;
        } else {
            (self.calls, self.successes) = (self.calls / 2, self.successes / 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::domains::Domains;
    use super::*;

    #[test]
    fn a_cpu_looks_as_far_as_its_usual_idle_time_pays_for() {
        let domains = Domains::new(16, 2, 8, 16, 1000);
        let far = |usual, least| levels(&domains.levels, usual, Ns(1000), Ns(least));
        assert_eq!([1199, 1200, 2999, 3000, 5599, 5600].map(|usual| far(usual, 0)), [0, 1, 1, 2, 2, 3]);
        assert_eq!([499_999, 500_000].map(|usual| far(usual, 500_000)), [0, 3]);
    }

    /// Half of the searches of a new domain are told to have succeeded: 514 throws of 1,024 search, each for two.
    #[test]
    fn a_die_lets_through_as_many_as_found_somebody() {
        let first = |throw| Luck::BOOT.clone().throw(throw);
        assert_eq!([0, 513, 514, 1023].map(first), [Some(2), Some(2), None, None]);
        // In vain for ever: it is halved after each 512, until two throws of 1,024 are left, each for all of them.
        let mut luck = Luck::BOOT;
        (0..512 * 9).for_each(|_| luck.note(0));
        assert_eq!([0, 2, 3].map(|throw| luck.clone().throw(throw)), [Some(512), Some(512), None]);
        (0..512).for_each(|_| luck.note(0));
        assert_eq!([0, 1, 2].map(|throw| luck.clone().throw(throw)), [Some(1024), Some(1024), None]);
        // Never in vain: it always searches, each for itself.
        (0..512 * 12).for_each(|_| luck.note(1));
        assert_eq!([0, 1023].map(|throw| luck.clone().throw(throw)), [Some(1), Some(1)]);
    }

    /// From nothing known to a quarter of a quarter: 16 in vain leave 8 of 32, 32 more 8 of 64.
    #[test]
    fn an_unknown_host_is_soon_known() {
        let mut luck = Luck::UNKNOWN;
        let last = |luck: Luck| (0..1024).rev().find(|&throw| luck.clone().throw(throw).is_some());
        for (vain, last_throw) in [(15, 513), (1, 257), (32, 129), (64, 65), (1024 - 128 - 1, 17), (1, 9), (512, 5)] {
            (0..vain).for_each(|_| luck.note(0));
            assert_eq!(last(luck), Some(last_throw), "{vain}");
        }
    }
}
