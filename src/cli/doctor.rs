//! `warpgrade doctor`: what was found on this machine, what each part is for, and how to get it.

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::error::CliError;
use super::exit::Exit;
use crate::device::cuda;
use crate::nvrtc::{FindOptions, Nvrtc};
use crate::sandbox;

/// Show what was found: NVRTC, headers, driver, GPUs, compute-sanitizer, sandbox; what each is for and how to get it
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  warpgrade doctor\n  warpgrade doctor --format json\n\nExits 0 when grading works here, 3 when it does not."
)]
pub struct Doctor {
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

/// One thing that may be there.
#[derive(Debug, Serialize)]
struct Part {
    name: &'static str,
    found: bool,
    /// Grading does not work without it.
    needed: bool,
    /// What was found, or why not.
    detail: String,
    purpose: &'static str,
    /// How to get it; empty when it is there.
    get: String,
}

pub fn run(args: &Doctor) -> Result<Exit, CliError> {
    let mut parts = nvrtc_parts();
    parts.extend(gpu_parts());
    parts.push(sanitizer_part());
    parts.extend(sandbox::features().into_iter().map(|feature| Part {
        name: feature.name,
        found: feature.present,
        needed: false,
        detail: feature.detail,
        purpose: feature.purpose,
        get: if feature.present { String::new() } else { feature.get.to_owned() },
    }));
    parts.push(self_test_part());
    let works = parts.iter().all(|part| part.found || !part.needed);
    match args.format {
        Format::Json => {
            let json = serde_json::json!({ "works": works, "parts": parts });
            println!("{json:#}");
        }
        Format::Text => print(&parts, works),
    }
    Ok(if works { Exit::Held } else { Exit::Fault })
}

fn print(parts: &[Part], works: bool) {
    for part in parts {
        let mark = match (part.found, part.needed) {
            (true, _) => "yes",
            (false, true) => "NO",
            (false, false) => "no",
        };
        println!("{mark:>4}  {}: {}", part.name, part.detail);
        println!("      for: {}", part.purpose);
        if !part.get.is_empty() {
            println!("      get: {}", part.get);
        }
    }
    println!();
    if works {
        println!("Grading works on this machine.");
    } else {
        println!("Grading does not work here yet: see the lines marked NO.");
    }
}

fn nvrtc_parts() -> Vec<Part> {
    let found = Nvrtc::find(&FindOptions::from_env());
    let setup = "warpgrade setup (fetches about 100 MB with pip; no GPU is needed)".to_owned();
    let (headers, detail) = match &found {
        Ok(nvrtc) => {
            let (major, minor) = nvrtc.version();
            let place = nvrtc.installation();
            let detail = format!("version {major}.{minor}, {}: {}", place.origin, place.library.display());
            (nvrtc.has_headers(), detail)
        }
        Err(error) if error.tried.is_empty() => (false, "not found".to_owned()),
        Err(error) => (false, error.tried.join("; ")),
    };
    let get = |there: bool| if there { String::new() } else { setup.clone() };
    vec![
        Part {
            name: "NVRTC",
            found: found.is_ok(),
            needed: true,
            detail,
            purpose: "compiles submissions; nothing is graded without it",
            get: get(found.is_ok()),
        },
        Part {
            name: "CUDA headers",
            found: headers,
            needed: false,
            detail: match &found {
                Ok(nvrtc) if headers => {
                    let dirs = nvrtc.installation().include_dirs.iter();
                    dirs.map(|dir| dir.display().to_string()).collect::<Vec<_>>().join(", ")
                }
                _ => "not found".to_owned(),
            },
            purpose: "submissions that include <cuda/atomic> or <cooperative_groups.h>",
            get: get(headers),
        },
    ]
}

fn gpu_parts() -> Vec<Part> {
    let probe = cuda::probe();
    let driver = Part {
        name: "NVIDIA driver",
        found: probe.is_ok(),
        needed: false,
        detail: match &probe {
            Ok(found) => format!("supports CUDA {}.{}", found.driver.0, found.driver.1),
            Err(reason) => reason.clone(),
        },
        purpose: "runs submissions on a GPU as well (--device cuda); verdicts never need it",
        get: if probe.is_ok() {
            String::new()
        } else {
            "the driver of your system or https://www.nvidia.com/drivers".into()
        },
    };
    let cards = probe.map(|found| found.cards).unwrap_or_default();
    let detail = cards.iter().map(cuda::Card::to_string).collect::<Vec<_>>();
    let gpus = Part {
        name: "GPUs",
        found: !cards.is_empty(),
        needed: false,
        detail: if detail.is_empty() { "none".to_owned() } else { detail.join("; ") },
        purpose: "rows from a real card beside the embedded device's",
        get: if cards.is_empty() {
            "a machine with an NVIDIA GPU (Volta or later)".to_owned()
        } else {
            String::new()
        },
    };
    vec![driver, gpus]
}

fn sanitizer_part() -> Part {
    let found = cuda::sanitizer::find();
    Part {
        name: "compute-sanitizer",
        found: found.is_some(),
        needed: false,
        detail: match &found {
            Some(tool) => format!("{}: {}", tool.version, tool.path.display()),
            None => "not found".to_owned(),
        },
        purpose: "shows NVIDIA's own findings beside ours (--sanitizer); needs a GPU",
        get: if found.is_some() { String::new() } else { "it comes with the CUDA toolkit".to_owned() },
    }
}

fn self_test_part() -> Part {
    let result = sandbox::self_test();
    Part {
        name: "sandbox: tried",
        found: result.is_ok(),
        needed: false,
        detail: result
            .err()
            .unwrap_or_else(|| "a worker could read no file, open no socket, start nothing".to_owned()),
        purpose: "shows that the protections above hold here; --require-sandbox refuses to grade without them",
        get: String::new(),
    }
}
