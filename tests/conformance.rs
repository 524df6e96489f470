//! The conformance suite: small kernels, one feature each, compiled by NVRTC and run on a device.
//!
//! The head of each `tests/conformance/*.cu` says how it is launched and what must come out; `tests/conformance/README.md`
//! explains the words. `CONFORMANCE=shuffle,atomic cargo test --test conformance` runs the kernels whose names hold one of these.

#[path = "conformance/harness/mod.rs"]
mod harness;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use harness::case::{ArgumentKind, Case};
use harness::device::{Device, Embedded, Outcome, Recorded};
use rayon::prelude::*;
use serde_json::json;
use warpgrade::nvrtc::{CompileRequest, Compiled, Nvrtc};
use warpgrade::ptx;

/// Schedules that each kernel runs under.
const SEEDS: u64 = 4;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance")
}

fn nvrtc() -> &'static Nvrtc {
    static NVRTC: OnceLock<Nvrtc> = OnceLock::new();
    NVRTC.get_or_init(|| {
        Nvrtc::find_or_fetch(&mut |line| eprintln!("{line}")).expect("NVRTC can be found or fetched")
    })
}

/// A case with its PTX and its kernel's PTX name, or why there is none.
type Built = (Case, Result<(Compiled, String), String>);

/// All cases that the environment asks for, compiled once a process.
fn cases() -> &'static [Built] {
    static CASES: OnceLock<Vec<Built>> = OnceLock::new();
    CASES.get_or_init(|| {
        let wanted = std::env::var("CONFORMANCE").unwrap_or_default();
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
            .expect("the folder is part of the repository")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|e| e == "cu"))
            .filter(|path| {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                wanted.split(',').any(|part| name.contains(part))
            })
            .collect();
        files.sort();
        files
            .par_iter()
            .map(|file| {
                let case = Case::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
                let built = compile(&case, &case.architecture);
                (case, built)
            })
            .collect()
    })
}

fn compile(case: &Case, arch: &str) -> Result<(Compiled, String), String> {
    let name = format!("{}.cu", case.name);
    let kernels = [case.kernel.clone()];
    let request = CompileRequest {
        source: &case.source,
        name: &name,
        arch,
        kernels: &kernels,
        ..CompileRequest::default()
    };
    let compiled = nvrtc().compile(&request).map_err(|e| format!("{e}: {e:?}"))?;
    let kernel = compiled.lowered.get(&case.kernel).ok_or("its kernel has no name in the PTX")?.clone();
    Ok((compiled, kernel))
}

/// What is wrong with an outcome, if anything is.
fn judge(case: &Case, outcome: &Outcome) -> Result<(), String> {
    if outcome.fault != case.fault {
        let shown = |fault: &Option<String>| fault.clone().unwrap_or_else(|| "no fault".to_owned());
        return Err(format!("{}, expected {}", shown(&outcome.fault), shown(&case.fault)));
    }
    if let Some(difference) = case.difference(&outcome.buffers) {
        return Err(difference);
    }
    if let (Some(expected), Some(printed)) = (&case.prints, &outcome.printed) {
        let mut lines: Vec<&str> = printed.lines().collect();
        let mut expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        lines.sort_unstable();
        expected.sort_unstable();
        if lines != expected {
            return Err(format!("printed {lines:?}, expected {expected:?}"));
        }
    }
    Ok(())
}

fn run(case: &Case, built: &Result<(Compiled, String), String>, device: &dyn Device) -> Result<(), String> {
    let (compiled, kernel) = built.as_ref().map_err(|e| format!("does not compile: {e}"))?;
    (0..SEEDS).try_for_each(|seed| {
        let outcome = device.run(case, compiled, kernel, seed)?;
        judge(case, &outcome).map_err(|e| format!("seed {seed}: {e}"))
    })
}

/// Reports every failing kernel by name, after all have run.
fn report(what: &str, ran: usize, failures: &[String]) {
    println!("{what}: {ran} kernels, {} failed", failures.len());
    assert!(failures.is_empty(), "{} of {ran} kernels failed:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_kernel_gives_what_its_head_expects() {
    all_on(&Embedded::Plain, "embedded device", |_| true);
    if std::env::var("CONFORMANCE").is_err() {
        assert!(cases().len() >= 200, "only {} kernels", cases().len());
    }
}

#[test]
fn every_kernel_gives_the_same_when_lanes_drift_apart() {
    all_on(&Embedded::LanesApart, "embedded device, lanes apart", |case| !case.lanes_together);
}

fn all_on(device: &dyn Device, what: &str, takes: impl Fn(&Case) -> bool + Sync) {
    let taken: Vec<&Built> = cases().iter().filter(|(case, _)| takes(case)).collect();
    let failures: Vec<String> = taken
        .par_iter()
        .filter_map(|(case, built)| run(case, built, device).err().map(|why| format!("{}: {why}", case.name)))
        .collect();
    report(what, taken.len(), &failures);
}

#[test]
fn the_embedded_device_gives_the_bits_of_a_gpu() {
    let recorded = recorded();
    let compared: Vec<(String, Result<(), String>)> = cases()
        .par_iter()
        .filter(|(case, _)| !case.bits_differ)
        .filter_map(|(case, built)| {
            let want = recorded.buffers(case)?;
            let (compiled, kernel) = built.as_ref().ok()?;
            let result = Embedded::Plain
                .run(case, compiled, kernel, 0)
                .and_then(|got| same_bits(case, &got.buffers, want));
            Some((case.name.clone(), result))
        })
        .collect();
    let failures: Vec<String> =
        compared.iter().filter_map(|(name, r)| r.as_ref().err().map(|e| format!("{name}: {e}"))).collect();
    report("against a GPU's bits", compared.len(), &failures);
}

fn same_bits(case: &Case, got: &[Vec<u8>], want: &[Vec<u8>]) -> Result<(), String> {
    for (((name, element, _), got), want) in case.buffers().zip(got).zip(want) {
        if case.order_is_open(name) {
            continue;
        }
        let size = element.bytes();
        if let Some(at) = got.chunks(size).zip(want.chunks(size)).position(|(a, b)| a != b) {
            let shown = |bytes: &[u8]| {
                bytes[at * size..][..size].iter().rev().map(|b| format!("{b:02x}")).collect::<String>()
            };
            return Err(format!("{name}[{at}] is 0x{}, the GPU's is 0x{}", shown(got), shown(want)));
        }
    }
    Ok(())
}

fn recorded() -> Recorded {
    Recorded::read(&folder().join("h200.json")).unwrap_or_else(|e| panic!("h200.json: {e}"))
}

#[test]
fn a_gpu_gives_what_the_heads_expect() {
    let recorded = recorded();
    let seen: Vec<(&Case, &[Vec<u8>])> =
        cases().iter().filter_map(|(case, _)| Some((case, recorded.buffers(case)?))).collect();
    let failures: Vec<String> = seen
        .iter()
        .filter_map(|(case, buffers)| case.difference(buffers).map(|d| format!("{}: {d}", case.name)))
        .collect();
    report("recorded GPU", seen.len(), &failures);
    if std::env::var("CONFORMANCE").is_err() {
        assert!(seen.len() >= 150, "only {} recordings fit today's kernels: record them again", seen.len());
    }
}

#[test]
fn every_kernel_s_ptx_comes_back_from_its_own_text() {
    for (case, built) in cases() {
        let Ok((compiled, _)) = built else { continue };
        let mut module = ptx::parse(&compiled.ptx).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let mut again =
            ptx::parse(&module.to_string()).unwrap_or_else(|e| panic!("{}, printed: {e}", case.name));
        module.forget_ptx_lines();
        again.forget_ptx_lines();
        assert!(module == again, "{}", case.name);
    }
}

/// Writes each kernel's CUBIN and arguments for `run_on_gpu.py`.
#[test]
#[ignore = "writes target/conformance, for run_on_gpu.py on a machine with a GPU"]
fn export_for_a_gpu() {
    let arch = std::env::var("CONFORMANCE_ARCH").unwrap_or_else(|_| "sm_90".to_owned());
    let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/conformance");
    std::fs::create_dir_all(&out).unwrap();
    let on_gpu: Vec<&Case> = cases().iter().map(|(case, _)| case).filter(|case| case.on_gpu).collect();
    let export = |case: &&Case| {
        let (compiled, kernel) = compile(case, &arch).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        std::fs::write(out.join(format!("{}.cubin", case.name)), &compiled.cubin).unwrap();
        let arguments: Vec<_> = case
            .arguments
            .iter()
            .map(|argument| match &argument.kind {
                ArgumentKind::Buffer { bytes, .. } => json!({ "buffer": hex(bytes) }),
                ArgumentKind::Scalar { bytes, .. } | ArgumentKind::Struct { bytes } => {
                    json!({ "value": hex(bytes) })
                }
            })
            .collect();
        json!({
            "name": case.name, "kernel": kernel, "grid": case.grid, "block": case.block, "shared": case.shared,
            "source": case.hash(), "arguments": arguments,
        })
    };
    let manifest: Vec<_> = on_gpu.par_iter().map(export).collect();
    let version = nvrtc().version();
    let manifest =
        json!({ "nvrtc": format!("{}.{}", version.0, version.1), "arch": arch, "cases": manifest });
    std::fs::write(out.join("manifest.json"), manifest.to_string()).unwrap();
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
