//! What to say of regions that are not there.

use crate::exercise::{Exercise, Region, RegionKind};

use super::conditional::Reach;
use super::find;
use super::items::{ItemKind, Source};
use super::model::Patched;
use super::program::capitalised;
use super::template::Template;

/// Regions missing from a file that has others: the template's own are used, and said so.
pub(super) fn missing(
    template: &Template,
    source: &Source,
    missing: &[(&Region, Option<u32>)],
    out: &mut Patched,
) {
    let whole = source.items.iter().any(|item| item.name == "main");
    let mut absent = Vec::new();
    for (region, dead) in missing {
        let counts = match &region.kind {
            RegionKind::Kernel { .. } => true,
            // Part of a whole program; someone who hands in kernels alone need not repeat them.
            RegionKind::Function { .. } | RegionKind::Constant { .. } => whole,
            // Markers are a convenience: the kernel around them counts.
            RegionKind::Snippet { .. } => false,
        };
        match dead {
            Some(line) => {
                let message = format!(
                    "{} is missing: the one on line {line} is never compiled. The exercise's own is used.",
                    capitalised(&region.title)
                );
                out.notice("region-missing", *line, message);
            }
            None if counts && !read_as_snippet(template, region, out) => absent.push(region.title.as_str()),
            None => {}
        }
    }
    match absent.as_slice() {
        [] => {}
        [one] => {
            out.notice("region-missing", 0, format!("Not in this file: {one}. The exercise's own is used."))
        }
        many => {
            let message = format!("Not in this file: {}. The exercise's own are used.", many.join(", "));
            out.notice("region-missing", 0, message);
        }
    }
}

/// Whether the kernel's marked snippet was handed in instead.
fn read_as_snippet(template: &Template, region: &Region, out: &Patched) -> bool {
    out.edits.iter().any(|edit| {
        matches!(&edit.part, super::Part::Snippet { label }
            if template.kernel_region_around(label).is_some_and(|kernel| kernel.id == region.id))
    })
}

/// A directive's words with the word that makes a kernel among them.
fn is_global(words: &str) -> bool {
    words.split(' ').any(|word| word == "__global__")
}

/// No region in the whole file.
pub(super) fn nothing(template: &Template, others: &[Exercise], source: &Source, out: &mut Patched) {
    out.unusable = true;
    let has = |kernel: &str| source.items.iter().any(|item| item.name == kernel);
    let other = others
        .iter()
        .filter(|other| other.id != template.exercise.id)
        .find(|other| other.rows.iter().any(|row| has(&row.kernel)));
    if let Some(other) = other {
        let line = source
            .items
            .iter()
            .find(|i| other.rows.iter().any(|row| row.kernel == i.name))
            .map(|i| source.line(i));
        let message = format!(
            "This looks like a program for `{}` ({}): it has that exercise's kernels, and none of those of `{}`.",
            other.id, other.title, template.exercise.id
        );
        return out.notice("other-exercise", line.unwrap_or(0), message);
    }
    let mut kernels: Vec<&str> = Vec::new();
    for row in &template.exercise.rows {
        if !kernels.contains(&row.kernel.as_str()) {
            kernels.push(&row.kernel);
        }
    }
    let tokens = source.lexed.tokens.iter().zip(&source.reach);
    let dead =
        tokens.clone().any(|(t, reach)| *reach == Reach::Inactive && kernels.contains(&t.text.as_ref()));
    let hidden = source.items.iter().find(|item| {
        matches!(item.kind, ItemKind::Define { .. })
            && find::words(source, item.first, item.last).iter().any(|words| is_global(words))
    });
    let why = if let Some(hidden) = hidden {
        let message = format!(
            "`{0}` is a macro for `__global__`, so no kernel is found in this file: write `__global__` itself.",
            hidden.name
        );
        return out.notice("no-region", source.line(hidden), message);
    } else if dead {
        " What there is of them is never compiled: look at its `#if`."
    } else if !tokens.clone().any(|(t, _)| t.text == "__global__") {
        " There is no `__global__` function in it at all."
    } else {
        ""
    };
    let message =
        format!("None of the exercise's kernels is in this file. Expected: {}.{why}", kernels.join(", "));
    out.notice("no-region", 0, message);
}
