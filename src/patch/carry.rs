//! What a student's regions need besides themselves: own helpers, macros, constants, types, allowed headers.
//!
//! A fence written as a macro, or in a `__device__` helper, is judged like a fence written in place: so whatever of the
//! student's file the regions refer to, and the template does not declare, goes with them.

use std::collections::{BTreeMap, HashSet};

use super::conditional::Reach;
use super::items::{Item, ItemKind, Source};
use super::lex::TokenKind;
use super::model::{Part, Patched, RegionEdit};
use super::template::Template;
use super::{find, reserved, text};

/// Most items that are carried; a program needs a handful.
const MOST: usize = 256;

/// A region's edit whose needs are looked up: its id, the edit's place in the student's text, in the template's order.
pub(super) struct Wanting {
    pub region: String,
    /// Byte range in the student's text.
    pub start: usize,
    pub end: usize,
}

/// Finds what the regions need and adds it to the edits, with notices of what is refused. Gives the indices of the
/// student's items that were taken.
pub(super) fn carry(
    template: &Template,
    source: &Source,
    wanting: &[Wanting],
    out: &mut Patched,
) -> HashSet<usize> {
    let mut carry = Carry {
        template,
        source,
        by_name: index(template, source),
        taken: HashSet::new(),
        macros: BTreeMap::new(),
        edits: Vec::new(),
        words: HashSet::new(),
    };
    for want in wanting {
        let Some((first, last)) = find::tokens_between(source, want.start, want.end) else { continue };
        let mut needed = Vec::new();
        carry.needs(first, last, want.start, &mut needed);
        needed.sort_unstable();
        for index in needed {
            carry.take(index, &want.region, out);
        }
    }
    let includes = carry.includes(out);
    out.edits.extend(includes);
    out.edits.append(&mut carry.edits);
    carry.taken
}

/// Whether an item is something that a region can need.
fn is_carriable(source: &Source, item: &Item) -> bool {
    match &item.kind {
        ItemKind::Function(function) => !function.global && item.name != "main",
        ItemKind::Type | ItemKind::Using | ItemKind::Define { .. } => true,
        ItemKind::Constant(_) => source.tokens(item).iter().take(16).any(|t| {
            matches!(
                t.text.as_ref(),
                "const" | "constexpr" | "__device__" | "__constant__" | "__shared__" | "__managed__"
            )
        }),
        ItemKind::Declaration => source
            .tokens(item)
            .iter()
            .any(|t| matches!(t.text.as_ref(), "__device__" | "__constant__" | "__shared__" | "__managed__")),
        _ => false,
    }
}

/// A variable in device memory that a kernel can write.
fn is_device_variable(source: &Source, item: &Item) -> bool {
    let has = |word: &str| source.tokens(item).iter().take(16).any(|t| t.text == word);
    matches!(item.kind, ItemKind::Declaration | ItemKind::Constant(_))
        && (has("__device__") || has("__managed__"))
        && !has("const")
        && !has("constexpr")
        && !has("__constant__")
}

/// Names to items that declare them, but for the names that the template declares itself.
fn index(template: &Template, source: &Source) -> BTreeMap<String, Vec<usize>> {
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (i, item) in source.items.iter().enumerate() {
        let by_default = !matches!(item.reach, Reach::Inactive | Reach::Depends { by_default: false });
        if !by_default || !is_carriable(source, item) {
            continue;
        }
        let mut names = vec![item.name.as_str()];
        if let ItemKind::Constant(declarators) = &item.kind {
            names.extend(declarators.iter().map(|d| d.name.as_str()));
        }
        // The names inside an unscoped enum stand for its own.
        if item.kind == ItemKind::Type && source.tokens(item).iter().take(3).any(|t| t.text == "enum") {
            names.extend(
                source.tokens(item).iter().filter(|t| t.kind == TokenKind::Word).map(|t| t.text.as_ref()),
            );
        }
        names.sort_unstable();
        names.dedup();
        for name in names {
            if !name.is_empty()
                && !template.declared.contains(name)
                && !matches!(name, "enum" | "class" | "int" | "unsigned")
            {
                by_name.entry(name.to_owned()).or_default().push(i);
            }
        }
    }
    by_name
}

struct Carry<'c, 't> {
    template: &'c Template<'c>,
    source: &'c Source<'t>,
    by_name: BTreeMap<String, Vec<usize>>,
    taken: HashSet<usize>,
    /// The item that a macro's name stands for in the program so far.
    macros: BTreeMap<String, usize>,
    edits: Vec<RegionEdit>,
    /// Words of everything that is taken over.
    words: HashSet<String>,
}

impl Carry<'_, '_> {
    /// Items that a token range refers to, and what those refer to; `position` is where it stands.
    fn needs(&mut self, first: usize, last: usize, position: usize, needed: &mut Vec<usize>) {
        let mut queue = vec![(first, last)];
        while let Some((first, last)) = queue.pop() {
            for word in referred(self.source, first, last) {
                if let Some(indices) = self.by_name.get(&word) {
                    for index in self.meant(indices, position) {
                        if !needed.contains(&index) && needed.len() < MOST {
                            needed.push(index);
                            let item = &self.source.items[index];
                            queue.push((item.first, item.last));
                        }
                    }
                }
                self.words.insert(word);
            }
        }
    }

    /// Of the items with one name, those that it means at a position: the last macro before it, else every overload.
    fn meant(&self, indices: &[usize], position: usize) -> Vec<usize> {
        let items = &self.source.items;
        let is_macro = |i: &&usize| matches!(items[**i].kind, ItemKind::Define { .. });
        let before = |i: &&usize| self.source.start(&items[**i]) < position;
        let last_macro = indices.iter().filter(is_macro).rfind(before);
        match last_macro {
            Some(last) => vec![*last],
            None => indices.iter().filter(|i| !is_macro(i)).copied().collect(),
        }
    }

    fn take(&mut self, index: usize, region: &str, out: &mut Patched) {
        let item = &self.source.items[index];
        let is_macro = matches!(item.kind, ItemKind::Define { .. });
        let known =
            if is_macro { self.macros.get(&item.name) == Some(&index) } else { self.taken.contains(&index) };
        if known {
            return;
        }
        let line = self.source.line(item);
        if is_macro && (reserved::is_reserved(&item.name) || self.template.words.contains(&item.name)) {
            // Told by `renames`, which looks at every macro of the file.
            return;
        }
        if reserved::is_reserved(&item.name) {
            let message = format!("`{}` is CUDA's own name; this definition of it is left out.", item.name);
            return out.notice("macro-renames", line, message);
        }
        let range = self.source.start(item)..self.source.end(item);
        let taken = if is_macro {
            let text = self.source.lexed.text[range.clone()].to_owned();
            if text.contains("__has_include") || text.contains("__has_embed") {
                let message =
                    format!("The macro `{}` asks which files this machine has; it is left out.", item.name);
                return out.notice("include-refused", line, message);
            }
            if text.contains("__CUDACC_RTC__") {
                let message =
                    format!("The macro `{}` asks for the grader's compiler; it is left out.", item.name);
                return out.notice("grader-detection", line, message);
            }
            let mut notices = Vec::new();
            if text.contains("__CUDA_ARCH__") {
                notices.push(("architecture-dependent", line, text::ARCHITECTURE.to_owned()));
            }
            text::Taken { text, line, notices }
        } else {
            text::take(self.source, range, None, &self.template.words)
        };
        for (kind, line, message) in taken.notices {
            out.notice(kind, line, message);
        }
        if let Some((at, why)) = text::breaks_out(&taken.text, !is_macro).filter(|_| !is_macro) {
            let message = format!("`{}`, which the regions use, is left out: {why}.", item.name);
            return out.notice("region-does-not-close", line + at - 1, message);
        }
        if is_device_variable(self.source, item) {
            let message = format!(
                "`{}` is a variable of the device: it keeps its value from one launch to the next. The grader gives it its first \
                 value again before every launch.",
                item.name
            );
            out.notice("device-variable", line, message);
        }
        if is_macro && let Some(before) = self.macros.insert(item.name.clone(), index) {
            let other = &self.source.items[before];
            if self.source.lexed.text[self.source.start(other)..self.source.end(other)] == taken.text {
                return;
            }
            self.push(region, line, format!("#undef {}", item.name), &out.file);
        }
        let text = if is_macro { taken.text } else { in_namespaces(&item.namespaces, taken.text) };
        self.push(region, line, text, &out.file);
        self.taken.insert(index);
    }

    fn push(&mut self, region: &str, line: u32, text: String, file: &str) {
        self.edits.push(RegionEdit {
            region: String::new(),
            file: file.to_owned(),
            line,
            text,
            changed: true,
            part: Part::Carried { before: Some(region.to_owned()) },
        });
    }

    /// The student's includes: allowed ones that are needed are taken, host headers are passed over, others refused.
    fn includes(&mut self, out: &mut Patched) -> Vec<RegionEdit> {
        let mut edits: Vec<RegionEdit> = Vec::new();
        for (i, item) in self.source.items.iter().enumerate() {
            if item.kind != ItemKind::Include || item.reach == Reach::Inactive {
                continue;
            }
            let header = item.name.trim_matches(['<', '>', '"', ' ']).to_owned();
            let line = self.source.line(item);
            let in_template =
                self.template.source.items.iter().any(|t| t.kind == ItemKind::Include && t.name == item.name);
            let allowed = self.template.exercise.compile.headers.contains(&header);
            if in_template || is_host_header(&header) {
                continue;
            }
            if !allowed {
                let message = format!(
                    "`#include {}` is left out: this exercise's programs may include {}.",
                    text::one_line(&item.name),
                    self.allowed_words()
                );
                out.notice("include-refused", line, message);
                continue;
            }
            let text = format!("#include <{header}>");
            if self.needs_header(&header) && !edits.iter().any(|edit| edit.text == text) {
                self.taken.insert(i);
                edits.push(RegionEdit {
                    region: String::new(),
                    file: out.file.clone(),
                    line,
                    text,
                    changed: true,
                    part: Part::Carried { before: None },
                });
            }
        }
        edits
    }

    /// `<cuda/…>` costs half a second to compile: it goes with what says `cuda::`, or a name that a `using` brought in.
    fn needs_header(&self, header: &str) -> bool {
        let word = match header {
            _ if header.starts_with("cuda/") => "cuda",
            _ if header.starts_with("cooperative_groups") => "cooperative_groups",
            _ => return true,
        };
        self.words.contains(word)
            || self.source.items.iter().any(|item| {
                item.kind == ItemKind::Using && self.source.tokens(item).iter().any(|t| t.text == word)
            })
    }

    fn allowed_words(&self) -> String {
        match self.template.exercise.compile.headers.as_slice() {
            [] => "no headers of their own".to_owned(),
            headers => headers.iter().map(|h| format!("<{h}>")).collect::<Vec<_>>().join(", "),
        }
    }
}

/// An item in the namespaces that it stood in, and visible without naming them, as it was to what stood beside it. On its
/// own lines.
fn in_namespaces(namespaces: &[String], text: String) -> String {
    let name = namespaces.join("::");
    if name.is_empty() || text.trim_start().starts_with("using namespace") {
        return text;
    }
    format!("namespace {name} {{ {text} }} using namespace {name};")
}

/// The words that a token range refers to; `using namespace cuda` goes by its last word.
fn referred(source: &Source, first: usize, last: usize) -> Vec<String> {
    let mut words = Vec::new();
    for (i, token) in source.lexed.tokens.iter().enumerate().take(last + 1).skip(first) {
        if source.reach[i] == Reach::Inactive {
            continue;
        }
        match token.kind {
            TokenKind::Word => words.push(token.text.to_string()),
            TokenKind::Directive(index) => {
                let inner = &source.lexed.directives[index].tokens;
                words.extend(inner.iter().filter(|t| t.kind == TokenKind::Word).map(|t| t.text.to_string()));
            }
            _ => {}
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// Headers of the host part: they play no role in device code, and NVRTC has none of them.
fn is_host_header(header: &str) -> bool {
    const HOST: [&str; 40] = [
        "cstdio",
        "cstdlib",
        "cstring",
        "cstdint",
        "cstddef",
        "cmath",
        "cassert",
        "cfloat",
        "climits",
        "ctime",
        "vector",
        "array",
        "string",
        "iostream",
        "iomanip",
        "sstream",
        "fstream",
        "algorithm",
        "numeric",
        "random",
        "memory",
        "chrono",
        "utility",
        "functional",
        "limits",
        "type_traits",
        "tuple",
        "map",
        "set",
        "stdexcept",
        "thread",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "stdint.h",
        "stddef.h",
        "math.h",
        "assert.h",
        "time.h",
        "limits.h",
    ];
    const CUDA: [&str; 8] = [
        "cuda_runtime.h",
        "cuda_runtime_api.h",
        "cuda.h",
        "device_launch_parameters.h",
        "device_functions.h",
        "device_atomic_functions.h",
        "sm_60_atomic_functions.h",
        "vector_types.h",
    ];
    HOST.contains(&header) || CUDA.contains(&header)
}

/// Tells of every macro in the file that takes over a name of CUDA's, the language's or the exercise's.
pub(super) fn renames(template: &Template, source: &Source, out: &mut Patched) {
    for item in &source.items {
        let ItemKind::Define { .. } = item.kind else { continue };
        if item.reach == Reach::Inactive {
            continue;
        }
        let is_constant = template.constant_place(&item.name).is_some();
        let ours = template.declared.contains(&item.name) || template.words.contains(&item.name);
        if reserved::is_reserved(&item.name) || (ours && !is_constant && !in_region(template, &item.name)) {
            let line = source.line(item);
            let message = format!(
                "The macro `{}` is left out: it gives another meaning to a name that CUDA or the exercise's program uses. \
                 The kernels are graded as their text says.",
                item.name
            );
            out.notice("macro-renames", line, message);
        }
    }
}

/// A macro that the template itself defines.
fn in_region(template: &Template, name: &str) -> bool {
    template.source.items.iter().any(|item| matches!(item.kind, ItemKind::Define { .. }) && item.name == name)
}
