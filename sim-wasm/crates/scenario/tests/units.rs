//! Units change on the way from a scenario to what the model takes, and nowhere else.
use std::fs::read_dir;
use std::path::Path;
use wwi_kernel::time::Ns;
use wwi_model::config::Config;
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

/// Where numbers of knobs become times and sizes of the model.
const PLACES: [&str; 5] = ["cluster.rs", "config.rs", "database.rs", "parallel.rs", "sequence.rs"];

/// Paths of the files below a folder that make a time of a number.
fn makes_times(folder: &Path, found: &mut Vec<String>) {
    let paths = read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    for path in paths {
        if path.is_dir() {
            makes_times(&path, found);
        } else if ["s", "ms", "us"].iter().any(|unit| {
            let text = std::fs::read_to_string(&path).expect("a text");
            text.contains(&format!("from_{unit}("))
        }) {
            found.push(path.file_name().expect("a name").to_string_lossy().into_owned());
        }
    }
}

#[test]
fn numbers_become_times_in_five_files() {
    let mut found = Vec::new();
    makes_times(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found.sort();
    assert_eq!(found, PLACES);
}

fn config(query: &str) -> Config {
    to_config(&decode(query).expect("a scenario").scenario)
}

/// 3 s of recovery at 2 MB of redo a second; a block of 512 bytes in 512 µs where the device takes 1 MB a second.
#[test]
fn megabytes_a_second_are_millions_of_bytes_a_second() {
    let query = "dbwr-heavy?fast_start_mttr_target=3&recovery_mb_per_s=2&redo_log_mb=100&redo_io_mb_per_s=1";
    let of = config(query);
    let database = of.instances[0].others.database.as_ref().expect("it has one");
    assert_eq!((database.checkpoint.lag, database.log.transfer), (6_000_000, 512_000.0));
}

/// LMHB looks every 20 s whether an LMS has waited for more than 70 s (docs/cluster.md).
#[test]
fn lmhb_looks_more_often_than_it_gives_up() {
    let css = config("starved-lms?css_heartbeats=on").cluster.expect("they are joined").css.expect("they count");
    assert_eq!((css.looks, css.hangs), (Ns::from_s(20.0), Ns::from_s(70.0)));
}
