//! `warpgrade setup`: fetches what the grader needs and this machine lacks.

use clap::Args;

use super::error::CliError;
use super::exit::Exit;
use super::progress::Progress;
use crate::nvrtc::{self, FetchError, FindOptions, Nvrtc};

/// Fetch NVRTC, NVIDIA's run-time compiler, and its headers (about 100 MB; needs Python with pip, no GPU)
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  warpgrade setup            fetch what is missing\n  warpgrade setup --force    fetch the pinned version even where another NVRTC was found"
)]
pub struct Setup {
    /// Fetch the pinned version into the cache even when an NVRTC is already there
    #[arg(long)]
    pub force: bool,
    /// Say nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

pub fn run(args: &Setup) -> Result<Exit, CliError> {
    let progress = Progress::new(args.quiet);
    let fault = |error: FetchError| CliError::Fault(error.to_string());
    let mut say = |line: &str| progress.line(line);
    if args.force {
        let cache = nvrtc::cache_dir().ok_or(FetchError::NoHome).map_err(fault)?;
        nvrtc::fetch(&cache, &mut say).map_err(fault)?;
        let options = FindOptions { cache: Some(cache), ..FindOptions::default() };
        return report(&Nvrtc::find(&options).map_err(|error| CliError::Fault(error.to_string()))?, args);
    }
    report(&Nvrtc::find_or_fetch(&mut say).map_err(fault)?, args)
}

fn report(nvrtc: &Nvrtc, args: &Setup) -> Result<Exit, CliError> {
    if !args.quiet {
        let (major, minor) = nvrtc.version();
        let found = nvrtc.installation();
        println!("NVRTC {major}.{minor} is ready, {}: {}", found.origin, found.library.display());
        if !nvrtc.has_headers() {
            println!("Its headers (<cuda/atomic>) are missing: `warpgrade setup --force` fetches them.");
        }
    }
    Ok(Exit::Held)
}
