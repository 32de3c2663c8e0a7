//! `wwi probe`: a small server among hogs on the machine at hand, measured beside simulated. Linux.
#[cfg(target_os = "linux")]
mod measure;
#[cfg(target_os = "linux")]
mod plan;
#[cfg(target_os = "linux")]
mod system;
#[cfg(target_os = "linux")]
mod table;

/// What to ask of the machine.
#[derive(clap::Args)]
pub struct ProbeArguments {
    /// How long each row is measured \[s\].
    #[arg(long, default_value_t = 3.0)]
    pub seconds: f64,
    /// CPU time of a request on the idle machine \[µs\].
    #[arg(long, default_value_t = 300.0)]
    pub service_us: f64,
    /// Requests a second, at random times.
    #[arg(long, default_value_t = 500.0)]
    pub per_s: f64,
    /// Root of all randomness.
    #[arg(long, default_value_t = 42)]
    pub seed: u64,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Measures, simulates the same, and prints both.
#[cfg(target_os = "linux")]
pub fn probe(arguments: &ProbeArguments) -> Result<String, crate::Fault> {
    let plan = plan::Plan::new(arguments)?;
    let system = system::System::read(std::path::Path::new("/"), measure::own());
    let bar = crate::compute::Bar::new(2 * plan::ROWS as u64);
    let measured = measure::all(&plan, &system, &bar)?;
    let rows = plan.simulated(&system, measured, &bar)?;
    bar.finish();
    Ok(if arguments.json { table::json(&plan, &system, &rows) } else { table::page(&plan, &system, &rows) })
}
