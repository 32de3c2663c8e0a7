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
}
