//! Lists the exercises' text files for `src/exercise/catalogue.rs` to embed, so that adding an exercise needs no Rust.
//!
//! What grading needs is embedded: the exercises, their oracles and configuration files, the rubric. Solutions, answers
//! and mutants are not: the binary is a student's to read.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let mut files = Vec::new();
    for folder in ["exercises", "reference"] {
        println!("cargo::rerun-if-changed={folder}");
        walk(&root.join(folder), &mut files)?;
    }
    println!("cargo::rerun-if-changed=rubric.toml");
    println!("cargo::rerun-if-changed=build.rs");
    let rubric = root.join("rubric.toml");
    if rubric.is_file() {
        files.push(rubric);
    }
    files.sort();
    let mut list = String::from("pub const FILES: &[(&str, &str)] = &[\n");
    for file in &files {
        let name = file.strip_prefix(&root).map_err(io::Error::other)?.to_string_lossy().replace('\\', "/");
        if embedded(&name) && fs::read(file).is_ok_and(|bytes| String::from_utf8(bytes).is_ok()) {
            println!("cargo::rerun-if-changed={name}");
            writeln!(list, "    ({name:?}, include_str!({:?})),", file.display().to_string())
                .map_err(io::Error::other)?;
        }
    }
    list.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    fs::write(out.join("catalogue_files.rs"), list)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn embedded(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    match parts.as_slice() {
        ["rubric.toml"] => true,
        ["exercises", _, ..] => parts.len() > 2,
        ["reference", _, "oracle.cu"] => true,
        ["reference", _, "configurations", _] => true,
        _ => false,
    }
}
