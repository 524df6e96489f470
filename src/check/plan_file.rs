//! Launch plans as TOML: several launches, in order, on the same buffers.
//!
//! ```toml
//! file = "scan.cu"
//! [[buffers]]
//! name = "data"
//! type = "f32"
//! count = 1024
//! fill = "iota"          # zero (the default), ones, iota, random, uninit, values=1,2, file=PATH, text=PATH
//! [[launches]]
//! kernel = "scan<256>"
//! grid = [4]
//! block = [256]
//! args = ["data", "i32:1024"]
//! times = 2              # launched twice in a row
//! ```

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::argument::{ArgumentSpec, BufferSpec};
use super::fill::BufferFill;
use super::layout::lay_out;
use super::scalar::Scalar;
use crate::device::JobArgument;

/// Most launches of a plan, repeats counted.
const MOST_LAUNCHES: usize = 1000;

/// What is to be checked, wherever it was written down.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Request {
    pub file: PathBuf,
    pub include_dirs: Vec<PathBuf>,
    pub defines: Vec<(String, String)>,
    /// Buffers in order, with their names.
    pub buffers: Vec<(String, BufferSpec)>,
    pub launches: Vec<LaunchSpec>,
}

/// One launch of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LaunchSpec {
    /// The kernel's C++ name.
    pub kernel: String,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared: u32,
    /// Indices of buffers are into [`Request::buffers`].
    pub arguments: Vec<JobArgument>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFile {
    file: PathBuf,
    #[serde(default)]
    include: Vec<PathBuf>,
    #[serde(default)]
    define: BTreeMap<String, toml::Value>,
    #[serde(default)]
    buffers: Vec<PlanBuffer>,
    launches: Vec<PlanLaunch>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanBuffer {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    count: u64,
    #[serde(default)]
    fill: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanLaunch {
    kernel: String,
    grid: Extent,
    block: Extent,
    #[serde(default)]
    shared: u32,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default = "once")]
    times: usize,
}

fn once() -> usize {
    1
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Extent {
    One(u32),
    Several(Vec<u32>),
    Text(String),
}

impl Extent {
    fn size(&self) -> Result<[u32; 3], String> {
        let text = match self {
            Extent::One(x) => x.to_string(),
            Extent::Several(all) => all.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
            Extent::Text(text) => text.clone(),
        };
        super::argument::parse_extent(&text)
    }
}

impl Request {
    /// Reads a plan. Paths in it are relative to `folder`, the plan's own.
    ///
    /// # Errors
    /// A sentence with the line where TOML knows it.
    pub fn from_plan(text: &str, folder: &std::path::Path) -> Result<Request, String> {
        let plan: PlanFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut request = Request {
            file: folder.join(&plan.file),
            include_dirs: plan.include.iter().map(|dir| folder.join(dir)).collect(),
            ..Request::default()
        };
        for (name, value) in &plan.define {
            let value = match value {
                toml::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            request.defines.push((name.clone(), value));
        }
        for buffer in &plan.buffers {
            let spec =
                buffer.spec(folder).map_err(|problem| format!("buffer `{}`: {problem}", buffer.name))?;
            if request.buffers.iter().any(|(name, _)| *name == buffer.name) {
                return Err(format!("there are two buffers called `{}`", buffer.name));
            }
            request.buffers.push((buffer.name.clone(), spec));
        }
        for launch in &plan.launches {
            let spec = request
                .launch(launch)
                .map_err(|problem| format!("launch of `{}`: {problem}", launch.kernel))?;
            if request.launches.len().saturating_add(launch.times) > MOST_LAUNCHES {
                return Err(format!("a plan has at most {MOST_LAUNCHES} launches"));
            }
            request.launches.extend(std::iter::repeat_n(spec, launch.times));
        }
        if request.launches.is_empty() { Err("the plan launches nothing".to_owned()) } else { Ok(request) }
    }

    fn launch(&self, launch: &PlanLaunch) -> Result<LaunchSpec, String> {
        let names: Vec<&str> = self.buffers.iter().map(|(name, _)| name.as_str()).collect();
        let mut arguments = Vec::new();
        for argument in &launch.args {
            let spec = ArgumentSpec::parse(argument, &names).map_err(|error| error.to_string())?;
            let mut unnamed = false;
            arguments.push(lay_out(spec, &mut |_| {
                unnamed = true;
                0
            }));
            if unnamed {
                return Err(format!("`{argument}`: a plan's buffers have names; list it under [[buffers]]"));
            }
        }
        Ok(LaunchSpec {
            kernel: launch.kernel.clone(),
            grid: launch.grid.size()?,
            block: launch.block.size()?,
            shared: launch.shared,
            arguments,
        })
    }

    /// A single launch, as the command line gives it. Buffers are called `arg0`, `arg1`, … after their position
    /// until [`Request::name_buffers`] knows better.
    pub fn single(
        file: PathBuf,
        kernel: String,
        (grid, block, shared): ([u32; 3], [u32; 3], u32),
        arguments: Vec<ArgumentSpec>,
    ) -> Request {
        let mut request = Request { file, ..Request::default() };
        let mut passed = Vec::new();
        for (position, argument) in arguments.into_iter().enumerate() {
            let buffers = &mut request.buffers;
            passed.push(lay_out(argument, &mut |spec| {
                buffers.push((format!("arg{position}"), spec));
                buffers.len() - 1
            }));
        }
        request.launches.push(LaunchSpec { kernel, grid, block, shared, arguments: passed });
        request
    }

    /// Reads the files that buffers begin with, so that the request needs no file any more but sources.
    ///
    /// # Errors
    /// A sentence that names the buffer and the file.
    pub fn read_files(&mut self) -> Result<(), String> {
        let read = |(name, spec): &mut (String, BufferSpec)| {
            spec.read_file().map_err(|problem| format!("buffer `{name}`: {problem}"))
        };
        self.buffers.iter_mut().try_for_each(read)
    }

    /// Gives unnamed buffers the names of the parameters that they are passed to, so that messages say `partials[3]`.
    /// `parameters` gives the names of a kernel's parameters, of which there are so many.
    pub fn name_buffers(&mut self, parameters: impl Fn(&str, usize) -> Vec<String>) {
        for launch in &self.launches {
            let names = parameters(&launch.kernel, launch.arguments.len());
            for (argument, name) in launch.arguments.iter().zip(names) {
                let named: Vec<(usize, String)> = match argument {
                    JobArgument::Buffer(index) => vec![(*index, name.clone())],
                    JobArgument::Bytes(_) => Vec::new(),
                    // Fields of a structure have no names here: by the pointer's byte in it.
                    JobArgument::Struct { pointers, .. } => {
                        pointers.iter().map(|(offset, index)| (*index, format!("{name}+{offset}"))).collect()
                    }
                };
                for (index, named) in named {
                    if !name.is_empty() && self.buffers[index].0.starts_with("arg") {
                        self.buffers[index].0 = named;
                    }
                }
            }
        }
    }
}

impl PlanBuffer {
    fn spec(&self, folder: &std::path::Path) -> Result<BufferSpec, String> {
        let ty =
            Scalar::parse(&self.ty).ok_or_else(|| format!("`{}` is no type; {}", self.ty, Scalar::LIST))?;
        let fill = match &self.fill {
            None => BufferFill::default(),
            Some(text) => BufferFill::parse(text).ok_or_else(|| format!("`{text}` is no first content"))?,
        };
        BufferSpec { ty, count: self.count, fill: fill.relative_to(folder) }.checked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const PLAN: &str = r#"
file = "twice.cu"
define = { N = 4 }
[[buffers]]
name = "counter"
type = "u32"
count = 1
[[launches]]
kernel = "tick"
grid = [4]
block = 32
args = ["counter", "i32:7"]
times = 2
"#;

    #[test]
    fn reads_buffers_and_repeated_launches() {
        let request = Request::from_plan(PLAN, Path::new("plans")).unwrap();
        assert_eq!(request.file, Path::new("plans/twice.cu"));
        assert_eq!(request.defines, [("N".to_owned(), "4".to_owned())]);
        assert_eq!(request.launches.len(), 2);
        assert_eq!(request.launches[0].block, [32, 1, 1]);
        assert_eq!(
            request.launches[1].arguments,
            [JobArgument::Buffer(0), JobArgument::Bytes(vec![7, 0, 0, 0])]
        );
    }

    #[test]
    fn mistakes_are_named() {
        let wrong =
            |from: &str, to: &str| Request::from_plan(&PLAN.replace(from, to), Path::new(".")).unwrap_err();
        assert!(wrong("u32", "u33").contains("buffer `counter`: `u33` is no type"));
        assert!(wrong("\"counter\", ", "\"count\", ").contains("launch of `tick`: `count`"));
        assert!(wrong("\"counter\", ", "\"buf:u32:1\", ").contains("list it under [[buffers]]"));
        assert!(wrong("times = 2", "time = 2").contains("time"));
        assert!(wrong("times = 2", "times = 0").contains("launches nothing"));
        assert!(wrong("times = 2", "times = 5000").contains("at most 1000"));
    }
}
