//! The table of knobs as a page of Markdown.

use std::fmt::Write;
use wwi_scenario::knob::{Group, Kind, Knob, NameScope, Status};
use wwi_scenario::knobs::KNOBS;
use wwi_scenario::works::pieces;

const HEAD: &str = "# Knobs\n\nPrinted by `wwi generate` from `crates/scenario/src/knobs/`; edit there. \
     How scenarios are written: [scenario-format.md](scenario-format.md).\n\n\
     Defaults are *constant* (documented, or yours to choose), *calibrated* (worked back from a published measurement) \
     or \
     *free* (an estimate: nobody measured it). ↻ marks what needs a restart on a real system.\n\n\
     A value of scope host can be given to one host (`sockets@node2`), one of scope instance to one instance or to \
     those of a host \
     (`sessions@instance2`, `sessions@node2`), one of scope process kind to a kind, an instance, a host, or what two \
     of them have in \
     common (`class@session@instance2`, `priority@background@node2`); the narrower wins: \
     [scopes](scenario-format.md#scopes).\n";

/// The page.
pub fn knob_page() -> String {
    let mut page = HEAD.to_owned();
    for (group, title) in Group::ALL {
        let _ = write!(
            page,
            "\n## {title}\n\n| name | scope | default | values | what it is | source |\n| --- | --- | --- | --- | --- \
                | --- |\n"
        );
        for knob in KNOBS.iter().filter(|knob| knob.group == group) {
            let _ = writeln!(
                page,
                "| `{}`{} | {} | {} | {} | {} | {} ({}) |",
                knob.id,
                if knob.restart { " ↻" } else { "" },
                scope(knob),
                default(knob),
                values(knob),
                knob.help,
                source(knob),
                status(knob)
            );
        }
    }
    page
}

/// With links to the works that it names.
fn source(knob: &Knob) -> String {
    let piece = |(text, address): (&str, Option<&str>)| match address {
        Some(address) => format!("[{text}]({address})"),
        None => text.to_owned(),
    };
    pieces(knob.source).into_iter().map(piece).collect()
}

fn scope(knob: &Knob) -> &'static str {
    match knob.scope {
        NameScope::Run => "run",
        NameScope::Node => "host",
        NameScope::Instance => "instance",
        NameScope::Kind => "process kind",
    }
}

fn status(knob: &Knob) -> &'static str {
    match knob.status {
        Status::Constant => "constant",
        Status::Calibrated => "calibrated",
        Status::Free => "free",
    }
}

fn unit(knob: &Knob) -> String {
    knob.unit.map(|unit| format!(" {unit}")).unwrap_or_default()
}

fn default(knob: &Knob) -> String {
    match knob.default_words() {
        Some(words) => words,
        None => format!("{}{}", knob.default_value().to_text(), unit(knob)),
    }
}

fn values(knob: &Knob) -> String {
    match knob.kind {
        Kind::Choice(words) => words.join(", "),
        Kind::Integer => format!("{} to {}, whole", knob.min, knob.max),
        Kind::Number => format!("{} to {}", knob.min, knob.max),
        Kind::Vector => format!("{} to {} for each entry", knob.min, knob.max),
        Kind::Cpus => "all, or threads such as 0-21,44-65".to_owned(),
    }
}
