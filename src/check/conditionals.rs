//! Branches of `#if` that are surely not compiled, taken out of a text with their directives.
//!
//! A parser that does not run the preprocessor loses its way in `#ifdef A … if (x) { … #else … if (y) { … #endif`. What a
//! macro's being defined decides is decided here, line by line, and lines keep their numbers. Conditions that ask for
//! more (`#if __CUDA_ARCH__ >= 700`) stay as they are, with both branches.

use std::collections::HashMap;

/// `text` with the undecided conditionals only. `defines` are the macros that the build defines.
pub fn decided(text: &str, defines: &[(String, String)]) -> String {
    let mut walk = Walk {
        macros: defines.iter().map(|(name, value)| (plain(name).to_owned(), value.clone())).collect(),
        levels: Vec::new(),
    };
    let mut out = String::with_capacity(text.len());
    let mut continued = false;
    for line in text.split_inclusive('\n') {
        let keep = if continued { walk.active() } else { walk.line(line) };
        continued = line.trim_end().ends_with('\\');
        if keep {
            out.push_str(line);
        } else if line.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}

/// One `#if … #endif`.
struct Level {
    /// `None`: not decided, its directives stay.
    active: Option<bool>,
    /// Whether a branch has been taken.
    taken: bool,
}

struct Walk {
    macros: HashMap<String, String>,
    levels: Vec<Level>,
}

impl Walk {
    fn active(&self) -> bool {
        self.levels.iter().all(|level| level.active != Some(false))
    }

    /// Takes a line in; whether it stays.
    fn line(&mut self, line: &str) -> bool {
        let Some(directive) = line.trim_start().strip_prefix('#') else { return self.active() };
        let directive = directive.split("//").next().unwrap_or_default().trim();
        let (name, rest) =
            directive.split_at(directive.find(|c: char| !c.is_alphanumeric()).unwrap_or(directive.len()));
        let rest = rest.trim();
        let outer = self.active();
        match name {
            "if" | "ifdef" | "ifndef" => {
                let holds = match name {
                    "ifdef" => self.is_defined(rest),
                    "ifndef" => self.is_defined(rest).map(|defined| !defined),
                    _ => self.holds(rest),
                };
                self.levels.push(Level { active: holds, taken: holds == Some(true) });
                outer && holds.is_none()
            }
            "elif" | "else" | "endif" => {
                let condition = if name == "else" { Some(true) } else { self.holds(rest) };
                let Some(level) = self.levels.last_mut() else { return true };
                let decided = level.active.is_some();
                if name == "endif" {
                    self.levels.pop();
                } else if decided {
                    // A condition that cannot be told here counts as false: rare, and an error is told by the compiler.
                    let takes = !level.taken && condition == Some(true);
                    level.active = Some(takes);
                    level.taken |= takes;
                }
                self.active() && !decided
            }
            "define" if outer => {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                let (name, value) = rest.split_at(end);
                self.macros.insert(name.to_owned(), value.trim().to_owned());
                true
            }
            "undef" if outer => {
                self.macros.remove(rest);
                true
            }
            _ => outer,
        }
    }

    /// Whether a macro is defined; names of the implementation are not known here.
    fn is_defined(&self, name: &str) -> Option<bool> {
        let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        match self.macros.contains_key(name) {
            true => Some(true),
            false if plain && !name.starts_with('_') => Some(false),
            false => None,
        }
    }

    /// `0`, `1`, `NAME`, `defined(NAME)`, `!…`; `None` for anything else.
    fn holds(&self, condition: &str) -> Option<bool> {
        if let Some(rest) = condition.strip_prefix('!') {
            return self.holds(rest.trim()).map(|holds| !holds);
        }
        if let Some(rest) = condition.strip_prefix("defined") {
            let name = rest.trim();
            let name = name.strip_prefix('(').and_then(|n| n.strip_suffix(')')).unwrap_or(name);
            return self.is_defined(name.trim());
        }
        if let Ok(number) = condition.parse::<i64>() {
            return Some(number != 0);
        }
        match self.is_defined(condition)? {
            true => self.macros[condition].parse::<i64>().ok().map(|number| number != 0),
            false => Some(false),
        }
    }
}

/// `CHECK(x)` is the macro `CHECK`.
fn plain(name: &str) -> &str {
    name.split('(').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decided_goes_and_lines_stay() {
        let text = "#define ONE 1\n#ifdef RACY\nif (a) {\n#else\nif (b) {\n#endif\n}\n#if ONE\nx\n#elif 1\ny\n#endif\n\
                    #if __CUDA_ARCH__ >= 700\nz\n#else\n#if 0\nw\n#endif\n#endif\n";
        let plain = "#define ONE 1\n\n\n\nif (b) {\n\n}\n\nx\n\n\n\n#if __CUDA_ARCH__ >= 700\nz\n#else\n\n\n\n#endif\n";
        assert_eq!(decided(text, &[]), plain);
        let racy = decided(text, &[("RACY".to_owned(), "1".to_owned())]);
        assert!(racy.contains("if (a) {") && !racy.contains("if (b) {"), "{racy}");
        assert_eq!(racy.lines().count(), text.lines().count());
    }

    #[test]
    fn negations_and_continued_lines() {
        let text = "#if !defined(A)\nx\n#endif\n#ifndef B\n#define C \\\n  2\n#endif\n#if C\ny\n#endif\n";
        let kept = decided(text, &[]);
        assert!(kept.contains('x') && kept.contains("#define C \\\n  2\n"), "{kept}");
    }
}
