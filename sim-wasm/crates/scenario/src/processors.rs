//! Server CPUs with the frequencies that they reach by number of active cores, as their makers or WikiChip print them
//! for work without AVX. AMD prints none.

use crate::config::vector;
use crate::scenario::Scenario;

/// Up to how many active cores, and frequency then, in steps of 100 MHz; the last is that of all cores.
type Steps = &'static [(u8, u8)];

/// Words of `cpu_type`, with their steps.
pub(crate) const PROCESSORS: &[(&str, Steps)] = &[
    ("E5-2667_v2", &[(1, 40), (2, 39), (3, 38), (4, 37), (8, 36)]),
    ("Gold_5218", &[(2, 39), (4, 37), (8, 36), (12, 31), (16, 28)]),
    ("Gold_6126", &[(2, 37), (4, 35), (8, 34), (12, 33)]),
    ("Gold_6130", &[(2, 37), (4, 35), (8, 34), (12, 31), (16, 28)]),
    ("Gold_6140", &[(2, 37), (4, 35), (12, 34), (16, 31), (18, 30)]),
    ("Gold_6148", &[(2, 37), (4, 35), (12, 34), (16, 33), (20, 31)]),
    ("Platinum_8176", &[(2, 38), (4, 36), (12, 35), (16, 34), (20, 31), (24, 29), (28, 28)]),
    ("Platinum_8260", &[(2, 39), (4, 37), (16, 36), (20, 33), (24, 31)]),
    ("Platinum_8276", &[(2, 40), (4, 38), (16, 37), (20, 34), (24, 31), (28, 30)]),
];

/// Frequencies with 1, 2, … active cores, in any unit; empty: no table is chosen.
fn frequencies(scenario: &Scenario, node: usize) -> Vec<f64> {
    let word = scenario.node_value("cpu_type", node).as_word();
    if word == "custom" {
        return vector(scenario.node_value("turbo_table", node));
    }
    let Some((_, steps)) = PROCESSORS.iter().find(|(name, _)| *name == word) else { return Vec::new() };
    let cores = steps.last().map_or(0, |step| step.0);
    (1..=cores).filter_map(|n| steps.iter().find(|step| n <= step.0)).map(|step| f64::from(step.1)).collect()
}

/// Speed with 1, 2, … cores of a socket active, against all of them: as many as a socket has; empty: `turbo_one_core`
/// says it. Cores past the end of the table run at its last frequency.
pub(crate) fn turbo_steps(scenario: &Scenario, node: usize) -> Vec<f64> {
    let table = frequencies(scenario, node);
    let cores = scenario.node_value("cores_per_socket", node).as_number() as usize;
    let of = |active: usize| table[active.min(table.len()) - 1];
    if table.is_empty() {
        return Vec::new();
    }
    (1..=cores).map(|active| of(active) / of(cores)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::to_config;
    use crate::decode::decode;
    use crate::knob::{find, Kind};
    use wwi_model::config::NodeConfig;

    /// The host of a document.
    fn host(members: &str) -> NodeConfig {
        let text = ["{\"version\": 1, ", members, "}"].concat();
        to_config(&decode(&text).expect(members).scenario).nodes[0].clone()
    }

    #[test]
    fn every_processor_is_a_word_of_the_knob_and_gives_the_host_its_cores() {
        let Some(Kind::Choice(words)) = find("cpu_type").map(|knob| knob.kind) else { panic!("no choice") };
        let names = PROCESSORS.iter().map(|(name, _)| *name);
        assert_eq!(["none"].into_iter().chain(names).chain(["custom"]).collect::<Vec<_>>(), words);
        for (name, table) in PROCESSORS {
            let cores = usize::from(table.last().expect("steps").0);
            assert!(
                table.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 > w[1].1),
                "{name}: more cores, a lower frequency"
            );
            let host = host(&format!("\"cpu_type\": \"{name}\""));
            assert_eq!((host.cores_per_socket as usize, host.turbo_steps.len()), (cores, cores), "{name}");
            let first = f64::from(table[0].1) / f64::from(table[table.len() - 1].1);
            assert_eq!((host.turbo_steps[0], host.turbo_steps[cores - 1]), (first, 1.0), "{name}");
        }
    }

    /// Steps as percent of all cores' speed.
    fn percents(members: &str) -> Vec<f64> {
        host(members).turbo_steps.iter().map(|step| (step * 1000.0).round() / 10.0).collect()
    }

    #[test]
    fn steps_are_those_of_the_cores_that_a_socket_has() {
        // 4.0 to 3.6 GHz, as the maker prints them.
        let own = percents("\"cpu_type\": \"E5-2667_v2\"");
        assert_eq!(own, [111.1, 108.3, 105.6, 102.8, 100.0, 100.0, 100.0, 100.0]);
        // Two cores of it: all are active at 3.9 GHz. Ten, which it does not have, go on at 3.6.
        assert_eq!(percents("\"cpu_type\": \"E5-2667_v2\", \"cores_per_socket\": 2"), [102.6, 100.0]);
        let ten = percents("\"cpu_type\": \"E5-2667_v2\", \"cores_per_socket\": 10");
        assert_eq!((ten.len(), ten[3], ten[4], ten[9]), (10, 102.8, 100.0, 100.0));
        // Half-way: 12 active cores of a Gold 6148 at 3.4 GHz, the next at 3.3, the last four at 3.1.
        let gold = host("\"cpu_type\": \"Gold_6148\"").turbo_steps;
        assert_eq!([gold[11], gold[12], gold[16]], [34.0 / 31.0, 33.0 / 31.0, 1.0]);
    }

    #[test]
    fn a_table_of_ones_own_is_by_number_of_active_cores_in_any_unit() {
        let ghz = percents("\"cpu_type\": \"custom\", \"turbo_table\": [3.6, 3.4, 3.2]");
        assert_eq!(ghz, [112.5, 106.3, 100.0, 100.0], "four cores, the last at the last frequency");
        assert_eq!(percents("\"cpu_type\": \"custom\", \"turbo_table\": [1.125, 1.0625, 1]"), ghz);
        assert_eq!(percents("\"cpu_type\": \"custom\""), [100.0; 4], "no table is no turbo");
        assert!(percents("\"turbo_table\": [3.6, 3.4]").is_empty(), "it acts as custom alone");
        let many = vec!["2"; 60].join("/");
        assert_eq!(percents(&format!("\"cpu_type\": \"custom\", \"turbo_table\": \"{many}\"")).len(), 4);
    }
}
