//! A tool's report, read into findings.
//!
//! compute-sanitizer writes lines that begin with `=========`. A finding is a line that is not indented, followed by
//! indented ones; `at KERNEL+0x90 in FILE:LINE` gives its places. Seen in versions 2024 to 2025:
//!
//! ```text
//! ========= Error: Race reported between Write access at scan(…)+0x1f0 in a.cu:60
//! =========     and Read access at scan(…)+0x1b0 in a.cu:60 [195500 hazards]
//! ========= Invalid __global__ write of size 4 bytes
//! =========     at far(unsigned int *)+0x90 in a.cu:12
//! =========     by thread (0,0,0) in block (0,0,0)
//! ========= ERROR SUMMARY: 1 error
//! ```

use serde::{Deserialize, Serialize};

/// Something that a tool reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolFinding {
    /// `error` or `warning`, as the tool says.
    pub level: String,
    /// The headline: `Race reported between Write access and Read access`.
    pub message: String,
    /// The kernel's name, without its parameters.
    pub kernel: String,
    /// File and line of each access, in the tool's order; the student's own file names.
    pub places: Vec<(String, u32)>,
    /// Occurrences, where the tool counts them.
    pub count: u64,
}

/// Findings of a report, each pair of headline and places once with its occurrences added up. `files` are the names
/// that may stand in it; the tool writes them as paths.
pub fn read_report(text: &str, files: &[String]) -> Vec<ToolFinding> {
    let mut found: Vec<ToolFinding> = Vec::new();
    let mut block: Vec<&str> = Vec::new();
    let lines = text.lines().filter_map(|line| line.strip_prefix("========="));
    for line in lines.chain([" "]) {
        let indented = line.starts_with("     ");
        if !indented {
            if let Some(finding) = finding(&block, files) {
                let same = |other: &&mut ToolFinding| {
                    (&other.message, &other.kernel, &other.places)
                        == (&finding.message, &finding.kernel, &finding.places)
                };
                match found.iter_mut().find(same) {
                    Some(other) => other.count += finding.count,
                    None => found.push(finding),
                }
            }
            block.clear();
        }
        block.push(line.trim());
    }
    found
}

fn finding(block: &[&str], files: &[String]) -> Option<ToolFinding> {
    let head = *block.first()?;
    let noise = [
        "COMPUTE-SANITIZER",
        "ERROR SUMMARY",
        "RACECHECK SUMMARY",
        "LEAK SUMMARY",
        "Program hit",
        "Target application",
    ];
    if head.is_empty() || noise.iter().any(|word| head.starts_with(word)) {
        return None;
    }
    let places: Vec<(String, u32)> = block.iter().filter_map(|line| place(line, files)).collect();
    let kernel = block.iter().find_map(|line| kernel(line))?;
    let (level, head) = match head.split_once(": ") {
        Some(("Error", rest)) => ("error", rest),
        Some(("Warning", rest)) => ("warning", rest),
        _ => ("error", head),
    };
    let with = block[1..]
        .iter()
        .find_map(|line| line.strip_prefix("and "))
        .and_then(|line| line.split(" at ").next());
    let what = head.split(" at ").next().unwrap_or(head);
    let message = match with {
        Some(second) => format!("{what} and {second}"),
        None => what.to_owned(),
    };
    let count = block.iter().find_map(|line| hazards(line)).unwrap_or(1);
    Some(ToolFinding { level: level.to_owned(), message, kernel, places, count })
}

/// `… in /somewhere/a.cu:60 [12 hazards]`: the student's name and the line.
fn place(line: &str, files: &[String]) -> Option<(String, u32)> {
    let (_, place) = line.rsplit_once(" in ")?;
    let place = place.split(" [").next()?;
    let (path, number) = place.rsplit_once(':')?;
    let number = number.trim().parse().ok()?;
    let own = files.iter().filter(|file| path == file.as_str() || path.ends_with(&format!("/{file}")));
    let name = own.max_by_key(|file| file.len()).map_or("<header>", String::as_str);
    Some((name.to_owned(), number))
}

/// `at scan(const float *)+0x1f0 in a.cu:60`: `scan`.
fn kernel(line: &str) -> Option<String> {
    let at = line.find("+0x")?;
    let before = line[..at].rsplit(" at ").next()?;
    let before = before.strip_prefix("at ").unwrap_or(before);
    let name = before.split('(').next()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

fn hazards(line: &str) -> Option<u64> {
    line.rsplit_once('[')?.1.strip_suffix(" hazards]")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<ToolFinding> {
        read_report(text, &["a.cu".to_owned(), "template".to_owned()])
    }

    #[test]
    fn a_race_has_two_places_and_a_count() {
        let found = read(
            "========= COMPUTE-SANITIZER\n\
             ========= Error: Race reported between Write access at scan(const float *, float *, unsigned long)+0x1f0 in /tmp/w/a.cu:60\n\
             =========     and Read access at scan(const float *, float *, unsigned long)+0x1b0 in /tmp/w/a.cu:58 [195500 hazards]\n\
             =========\n\
             ========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n",
        );
        assert_eq!(
            found,
            [ToolFinding {
                level: "error".into(),
                message: "Race reported between Write access and Read access".into(),
                kernel: "scan".into(),
                places: vec![("a.cu".into(), 60), ("a.cu".into(), 58)],
                count: 195_500,
            }]
        );
    }

    #[test]
    fn the_same_access_by_many_threads_is_one_finding() {
        let one = "========= Invalid __global__ write of size 4 bytes\n\
                   =========     at far(unsigned int *)+0x90 in a.cu:12\n\
                   =========     by thread (0,0,0) in block (0,0,0)\n\
                   =========     Saved host backtrace up to driver entry point at kernel launch time\n\
                   =========         Host Frame: [0x33dd3] in libcuda.so.1\n=========\n";
        let found = read(&format!("{one}{one}{one}========= ERROR SUMMARY: 3 errors\n"));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].count, found[0].kernel.as_str()), (3, "far"));
        assert_eq!(found[0].places, [("a.cu".to_owned(), 12)]);
    }

    #[test]
    fn a_path_that_is_not_the_students_is_never_shown() {
        let found = read(
            "========= Invalid __shared__ read of size 4 bytes\n=========     at k()+0x10 in /home/x/y.h:3\n=========\n",
        );
        assert_eq!(found[0].places, [("<header>".to_owned(), 3)]);
    }

    #[test]
    fn a_clean_report_has_none() {
        assert_eq!(read("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"), []);
    }
}
