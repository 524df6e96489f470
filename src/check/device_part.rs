//! The device part of a whole CUDA program: what NVRTC can compile of a file that was written for nvcc.
//!
//! tree-sitter-cuda locates the file's top-level items; host functions, host variables and host includes are blanked,
//! so that every remaining line keeps its number. Nothing is judged here: an item that turns out not to compile is
//! blanked afterwards by [`DevicePart::drop_at`], as long as the kernel asked for is left.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use tree_sitter::{Node, Parser};

use super::conditionals::decided;
use super::headers::{HeaderUse, header_use};

/// Deepest nesting of local headers that are read into the program.
const MOST_NESTED: usize = 16;
/// Largest local header, in bytes.
const LARGEST_HEADER: u64 = 1 << 20;

/// A program with its host part blanked.
#[derive(Debug, Clone, Default)]
pub struct DevicePart {
    text: String,
    items: Vec<Item>,
    /// The file and the local headers read into it, as they are: what messages quote.
    files: Vec<(String, String)>,
}

/// A top-level piece of the program that can be left out on its own.
#[derive(Debug, Clone)]
struct Item {
    /// Where it stands in [`DevicePart::text`].
    range: Range<usize>,
    file: String,
    first_line: u32,
    last_line: u32,
    /// It has an execution space of its own: only dropped when nothing else helps.
    device: bool,
}

impl DevicePart {
    /// Reads the device part of `text`, called `name` in messages. Local headers are searched for in `folders` and read
    /// in the same way; a header that is not there is left out. `defines` are the macros that the build defines.
    pub fn of(text: &str, name: &str, folders: &[PathBuf], defines: &[(String, String)]) -> DevicePart {
        let mut reader = Reader {
            folders,
            defines,
            markers: BTreeSet::new(),
            included: BTreeSet::new(),
            part: DevicePart::default(),
        };
        reader.part.text.push_str(&format!("#line 1 \"{name}\"\n"));
        reader.read(text, name, 0);
        reader.part
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file and its local headers: name and text.
    pub fn files(&self) -> &[(String, String)] {
        &self.files
    }

    /// Blanks the item at a line that the compiler stumbled on, unless it defines one of `kernels` (identifiers). Returns
    /// whether there was one to blank.
    pub fn drop_at(&mut self, file: &str, line: u32, kernels: &[&str], device_too: bool) -> bool {
        let text = &self.text;
        let at = self.items.iter().position(|item| {
            item.file == file
                && (item.first_line..=item.last_line).contains(&line)
                && (device_too || !item.device)
                && !(item.device && kernels.iter().any(|kernel| defines(&text[item.range.clone()], kernel)))
        });
        let Some(at) = at else { return false };
        let item = self.items.swap_remove(at);
        let blank = blanked(&self.text[item.range.clone()]);
        self.text.replace_range(item.range, &blank);
        true
    }
}

/// Whether `item` may define the kernel: it names it and a parameter list or template brackets follow.
fn defines(item: &str, kernel: &str) -> bool {
    words(item).any(|word| word == kernel)
}

/// The same text with everything but line ends replaced by blanks, byte for byte.
fn blanked(text: &str) -> String {
    text.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty())
}

struct Reader<'a> {
    folders: &'a [PathBuf],
    defines: &'a [(String, String)],
    /// Macros that spell an execution space (`#define HD __host__ __device__`).
    markers: BTreeSet<String>,
    /// Headers read already; each is read once, as with `#pragma once`.
    included: BTreeSet<PathBuf>,
    part: DevicePart,
}

impl Reader<'_> {
    fn read(&mut self, text: &str, name: &str, depth: usize) {
        self.part.files.push((name.to_owned(), text.to_owned()));
        let mut parser = Parser::new();
        let language = tree_sitter_cuda::LANGUAGE.into();
        let mut parse = |text: &str| match parser.set_language(&language) {
            Ok(()) => parser.parse(text, None),
            Err(_) => None,
        };
        let mut tree = parse(text);
        // Where braces open in one branch of an `#if` and close outside, only the branch that is compiled makes sense.
        let compiled;
        let mut text = text;
        if tree.as_ref().is_some_and(|tree| tree.root_node().has_error()) {
            compiled = decided(text, self.defines);
            text = &compiled;
            tree = parse(text);
        }
        let Some(tree) = tree else {
            self.part.text.push_str(text);
            return;
        };
        let mut file = File { text, name, depth, done: 0 };
        self.items_of(tree.root_node(), &mut file);
        self.copy_to(&mut file, text.len());
        if !text.ends_with('\n') {
            self.part.text.push('\n');
        }
    }

    /// Treats the children of a node that holds top-level items.
    fn items_of(&mut self, node: Node, file: &mut File) {
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            self.item(child, file);
        }
    }

    fn item(&mut self, node: Node, file: &mut File) {
        let text = &file.text[node.byte_range()];
        match node.kind() {
            "preproc_include" => self.include(node, file),
            "preproc_def" | "preproc_function_def" => {
                let mut words = words(text).skip(1);
                if let Some(name) = words.next()
                    && (words.any(|w| self.is_marker(w)))
                {
                    self.markers.insert(name.to_owned());
                }
            }
            "preproc_ifdef" | "preproc_if" | "preproc_else" | "preproc_elif" | "preproc_elifdef"
            | "declaration_list" => self.items_of(node, file),
            "linkage_specification" => match node.child_by_field_name("body") {
                // `extern "C"` before one item goes with it.
                Some(body) if body.kind() != "declaration_list" => {
                    let (keep, device) = self.judge(body, &file.text[body.byte_range()]);
                    if keep { self.keep(node, file, device) } else { self.leave_out(node, file) }
                }
                _ => self.items_of(node, file),
            },
            "namespace_definition" => match node.child_by_field_name("body") {
                Some(body) => self.items_of(body, file),
                None => self.keep(node, file, false),
            },
            "function_definition" | "template_declaration" | "declaration" => {
                let (keep, device) = self.judge(node, text);
                if keep { self.keep(node, file, device) } else { self.leave_out(node, file) }
            }
            "using_declaration" if is_std(text) => self.leave_out(node, file),
            "expression_statement" => self.leave_out(node, file),
            // An instance of a host function.
            "template_instantiation" if text.contains('(') && !words(text).any(|w| self.is_marker(w)) => {
                self.leave_out(node, file);
            }
            "template_instantiation"
            | "struct_specifier"
            | "class_specifier"
            | "union_specifier"
            | "enum_specifier"
            | "using_declaration"
            | "alias_declaration"
            | "type_definition"
            | "static_assert_declaration"
            | "namespace_alias_definition"
            | "concept_definition"
            | "ERROR" => {
                let device = words(text).any(|w| self.is_marker(w));
                self.keep(node, file, device);
            }
            _ => {}
        }
    }

    /// Whether an item stays, and whether it has an execution space.
    fn judge(&self, node: Node, text: &str) -> (bool, bool) {
        // What comes before a body: a host function may well launch `__global__` lambdas further down.
        let head = text.split('{').next().unwrap_or(text);
        let device = words(head).any(|w| self.is_marker(w));
        let is_class = words(head).any(|w| matches!(w, "struct" | "class" | "union" | "enum"));
        let is_function = has_function(node);
        if device || words(head).any(|w| matches!(w, "constexpr" | "consteval" | "concept" | "using")) {
            return (true, device);
        }
        if is_function && node.kind() != "template_declaration" {
            return (false, false);
        }
        if node.kind() == "template_declaration" {
            return (is_class || !is_function, words(text).any(|w| self.is_marker(w)));
        }
        let constant = words(head).any(|w| w == "const") && !head.contains('*');
        (constant || is_class, false)
    }

    fn is_marker(&self, word: &str) -> bool {
        matches!(word, "__device__" | "__global__" | "__constant__" | "__managed__" | "__shared__")
            || self.markers.contains(word)
    }

    fn include(&mut self, node: Node, file: &mut File) {
        let text = &file.text[node.byte_range()];
        let quoted = text.split(['"', '<', '>']).nth(1).unwrap_or("").trim();
        match header_use(quoted) {
            HeaderUse::Compiler => {}
            HeaderUse::Ours => self.leave_out(node, file),
            HeaderUse::Local => match self.find(quoted).filter(|_| file.depth < MOST_NESTED) {
                Some((path, header)) => {
                    self.leave_out(node, file);
                    if self.included.insert(path) {
                        let line = node.start_position().row as u32 + 2;
                        self.part.text.push_str(&format!("\n#line 1 \"{quoted}\"\n"));
                        self.read(&header, quoted, file.depth + 1);
                        self.part.text.push_str(&format!("#line {line} \"{}\"\n", file.name));
                    }
                }
                None => self.leave_out(node, file),
            },
        }
    }

    /// A header in one of the folders, by its path and text.
    fn find(&self, header: &str) -> Option<(PathBuf, String)> {
        self.folders.iter().map(|folder| folder.join(Path::new(header))).find_map(|path| {
            let small = path.metadata().is_ok_and(|m| m.is_file() && m.len() <= LARGEST_HEADER);
            let text = small.then(|| std::fs::read(&path).ok()).flatten()?;
            Some((path, String::from_utf8_lossy(&text).replace("\r\n", "\n")))
        })
    }

    fn copy_to(&mut self, file: &mut File, end: usize) {
        if end > file.done {
            self.part.text.push_str(&file.text[file.done..end]);
            file.done = end;
        }
    }

    fn keep(&mut self, node: Node, file: &mut File, device: bool) {
        if node.start_byte() < file.done {
            return;
        }
        self.copy_to(file, node.start_byte());
        let start = self.part.text.len();
        self.copy_to(file, node.end_byte());
        self.part.items.push(Item {
            range: start..self.part.text.len(),
            file: file.name.to_owned(),
            first_line: node.start_position().row as u32 + 1,
            last_line: node.end_position().row as u32 + 1,
            device,
        });
    }

    fn leave_out(&mut self, node: Node, file: &mut File) {
        if node.start_byte() < file.done {
            return;
        }
        self.copy_to(file, node.start_byte());
        self.part.text.push_str(&blanked(&file.text[node.byte_range()]));
        file.done = node.end_byte();
    }
}

/// A file while it is read.
struct File<'a> {
    text: &'a str,
    name: &'a str,
    depth: usize,
    /// Bytes already copied or left out.
    done: usize,
}

/// Whether a definition or declaration declares a function, not a variable or a type.
fn has_function(node: Node) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| match child.kind() {
        "function_declarator" | "function_definition" => true,
        "pointer_declarator" | "reference_declarator" | "init_declarator" | "declaration" => {
            has_function(child)
        }
        _ => false,
    })
}

fn is_std(using: &str) -> bool {
    let mut words = words(using).filter(|w| !matches!(*w, "using" | "namespace"));
    words.next() == Some("std")
}
