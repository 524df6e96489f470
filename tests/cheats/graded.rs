//! One grading through the real program, with everything that it gives out.

use std::path::Path;

use assert_cmd::Command;

/// What a hidden instance's data are made from in these tests; no output may show it.
pub const SEED: &str = "7340519286113";

/// A grading's exit code and outputs, for the student.
pub struct Graded {
    pub exit: i32,
    /// The terminal's report.
    pub text: String,
    pub stderr: String,
    pub html: String,
    pub markdown: String,
    pub json: serde_json::Value,
}

impl Graded {
    /// The terminal's report as running text: its lines are broken anywhere.
    pub fn words(&self) -> String {
        self.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Every output, by its name.
    pub fn outputs(&self) -> [(&'static str, String); 5] {
        [
            ("terminal", self.text.clone()),
            ("stderr", self.stderr.clone()),
            ("html", self.html.clone()),
            ("markdown", self.markdown.clone()),
            ("json", self.json.to_string()),
        ]
    }

    pub fn notices(&self, kind: &str) -> Vec<String> {
        let all = self.json["notices"].as_array().into_iter().flatten();
        all.filter(|n| n["kind"] == kind)
            .map(|n| n["message"].as_str().unwrap_or_default().to_owned())
            .collect()
    }
}

/// Grades a file or folder, quickly.
pub fn grade(exercise: &str, submission: &Path, more: &[&str]) -> Graded {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    let mut command = Command::cargo_bin("warpgrade").unwrap();
    command.args(["grade", exercise]).arg(submission).arg("--report").arg(&report);
    // A grading of day 27 sums four million floats for every launch.
    let (runs, seeds) = if exercise.starts_with("day27") { ("2", "1") } else { ("3", "2") };
    command.args(["--device", "embedded", "--runs", runs, "--seeds", seeds, "--jobs", "1"]);
    command.args(["--instance-seed", SEED]);
    if cfg!(target_os = "linux") {
        command.arg("--require-sandbox");
    }
    let output = command.args(more).output().unwrap();
    let read = |name: &str| std::fs::read_to_string(report.join(name)).unwrap_or_default();
    Graded {
        exit: output.status.code().unwrap_or(-1),
        text: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        html: read("report.html"),
        markdown: read("report.md"),
        json: serde_json::from_str(&read("result.json")).unwrap_or_default(),
    }
}

/// Grades a program given as text.
pub fn grade_text(exercise: &str, text: &str, more: &[&str]) -> Graded {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.cu");
    std::fs::write(&file, text).unwrap();
    grade(exercise, &file, more)
}

/// Maps over files, a few at a time.
pub fn side_by_side<T: Send>(files: &[std::path::PathBuf], work: impl Fn(&Path) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = files.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let running: Vec<_> = files
            .chunks(share)
            .map(|chunk| scope.spawn(|| chunk.iter().map(|file| work(file)).collect::<Vec<T>>()))
            .collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// The block reverse's kernel with a body of the test's; right when `body` is empty.
pub fn reverse(before: &str, body: &str) -> String {
    format!(
        "{before}
__global__ void reverseBlock(float* out, const float* in, int n) {{
    __shared__ float tile[BLOCK];
    const int t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    tile[t] = (gid < n) ? in[gid] : 0.0f;
#ifndef SKIP_SYNC
    __syncthreads();
#endif
    const float mirrored = tile[blockDim.x - 1 - t];
    if (gid < n) {{
        out[gid] = mirrored;
    }}
{body}
}}
"
    )
}
