//! Consumer groups of an instance: those that a document lists by name, or as many as the knobs have entries.

use crate::config::vector;
use crate::scenario::{ConsumerGroup, Scenario};
use wwi_model::config::GroupConfig;

/// Consumer groups that a plan has at most.
pub(crate) const MOST_GROUPS: usize = 32;
/// The knobs that have an entry for each.
pub(crate) const SIZES: &str = "consumer_group_sessions";
pub(crate) const SHARES: &str = "consumer_group_shares";

/// The entries of one of the knobs; none where one number holds for all groups.
pub(crate) fn entries(scenario: &Scenario, id: &str, instance: usize) -> Vec<f64> {
    let list = vector(scenario.instance_value(id, instance));
    if list.len() > 1 {
        list
    } else {
        Vec::new()
    }
}

/// The groups of an instance, one or more. Of all sessions where nothing is said.
pub(crate) fn consumer_groups(scenario: &Scenario, instance: usize) -> Vec<GroupConfig> {
    let listed = &scenario.instances[instance - 1].groups;
    let [sizes, shares] = [SIZES, SHARES].map(|id| entries(scenario, id, instance));
    let count = listed.len().max(sizes.len()).max(shares.len()).max(1);
    let entry = |list: &[f64], at: usize| list.get(at).map(|&number| number as u32);
    let group = |at: usize| {
        let named: Option<&ConsumerGroup> = listed.get(at);
        GroupConfig {
            name: match named {
                Some(group) => group.name.clone(),
                None if count == 1 => "OTHER_GROUPS".to_owned(),
                None => ["GROUP_", &(at + 1).to_string()].concat(),
            },
            sessions: entry(&sizes, at).unwrap_or(1),
            shares: entry(&shares, at).or(named.map(|group| group.shares)).unwrap_or(1),
            utilization_limit: named.map_or(1.0, |group| group.utilization_limit / 100.0),
            level: named.map_or(1, |group| group.level),
        }
    };
    (0..count).map(group).collect()
}
