//! What orders memory in a region's text: fences, barriers, atomics, stores, in order, each with what guards it.
//!
//! tree-sitter's CUDA grammar gives the structure. This is for describing an edit in words, nothing is decided by it.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{Node, ParseOptions, ParseState, Parser};

/// What a mark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Class {
    Fence,
    Barrier,
    Atomic,
    Store,
    /// A call of the program's own function: a landmark.
    Call,
}

/// One operation that matters for ordering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub class: Class,
    /// `__threadfence`, `atomicAdd`, `partials`.
    pub name: String,
    /// `if`, `else`, `for`, …, outermost first.
    pub guards: Vec<&'static str>,
    /// 1-based line in the text.
    pub line: u32,
}

/// Texts longer than this are not described, in bytes.
const LONGEST: usize = 200_000;
/// Marks kept.
const MOST: usize = 300;
/// Nodes inside one another.
const DEEPEST: u32 = 150;
const PATIENCE: Duration = Duration::from_millis(200);

/// The marks of a region's text. `helpers` are the student's own macros and functions with the fence or barrier in them;
/// a `snippet` has no function around it.
pub(super) fn marks(text: &str, snippet: bool, helpers: &HashMap<String, (Class, String)>) -> Vec<Mark> {
    if text.len() > LONGEST {
        return Vec::new();
    }
    let wrapped = if snippet { format!("void f() {{\n{text}\n}}") } else { text.to_owned() };
    let mut parser = Parser::new();
    if parser.set_language(&tree_sitter_cuda::LANGUAGE.into()).is_err() {
        return Vec::new();
    }
    let end = Instant::now() + PATIENCE;
    let mut progress = |_: &ParseState| {
        if Instant::now() > end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let bytes = wrapped.as_bytes();
    let tree =
        parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
    let Some(tree) = tree else { return Vec::new() };
    let mut walk = Walk { text: &wrapped, helpers, marks: Vec::new(), first_line: u32::from(snippet) };
    walk.node(tree.root_node(), &mut Vec::new(), 0);
    walk.marks
}

struct Walk<'w> {
    text: &'w str,
    helpers: &'w HashMap<String, (Class, String)>,
    marks: Vec<Mark>,
    /// Lines before the text's own first.
    first_line: u32,
}

impl Walk<'_> {
    fn text(&self, node: Node) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn node(&mut self, node: Node, guards: &mut Vec<&'static str>, depth: u32) {
        if depth > DEEPEST || self.marks.len() >= MOST {
            return;
        }
        // The right side is computed before the store.
        if node.kind() == "assignment_expression" {
            if let Some(right) = node.child_by_field_name("right") {
                self.node(right, guards, depth + 1);
            }
            if let Some(left) = node.child_by_field_name("left") {
                self.node(left, guards, depth + 1);
                self.store(left, guards);
            }
            return;
        }
        for i in 0..node.child_count() {
            let Some(child) = node.child(i) else { continue };
            let guard = guard(node, i, child);
            guards.extend(guard);
            self.node(child, guards, depth + 1);
            if guard.is_some() {
                guards.pop();
            }
        }
        if node.kind() == "call_expression"
            && let Some(function) = node.child_by_field_name("function")
        {
            self.call(node, function, guards);
        }
        if node.kind() == "identifier" && self.helpers.contains_key(self.text(node)) && !is_callee(node) {
            let (class, name) = self.helpers[self.text(node)].clone();
            self.push(class, name, guards, node);
        }
    }

    fn call(&mut self, node: Node, function: Node, guards: &[&'static str]) {
        let name = match function.kind() {
            "field_expression" => function.child_by_field_name("field").map(|field| self.text(field)),
            _ => Some(self.text(function)),
        };
        let name = name.unwrap_or_default().rsplit("::").next().unwrap_or_default();
        let name = name.split('<').next().unwrap_or_default().trim().to_owned();
        let method = function.kind() == "field_expression";
        if let Some((class, inner)) = self.helpers.get(&name) {
            let (class, inner) = (*class, inner.clone());
            self.push(class, inner, guards, node);
        } else if let Some(class) = class_of(&name, method) {
            self.push(class, name, guards, node);
        } else if function.kind() == "identifier" && !is_plain_builtin(&name) {
            self.push(Class::Call, name, guards, node);
        }
    }

    fn store(&mut self, left: Node, guards: &[&'static str]) {
        let base = match left.kind() {
            "subscript_expression" | "pointer_expression" => left.child_by_field_name("argument"),
            _ => None,
        };
        if let Some(base) = base.filter(|base| base.kind() == "identifier") {
            let name = self.text(base).to_owned();
            self.push(Class::Store, name, guards, left);
        }
    }

    fn push(&mut self, class: Class, name: String, guards: &[&'static str], node: Node) {
        let row = u32::try_from(node.start_position().row).unwrap_or(u32::MAX);
        let line = (row + 1).saturating_sub(self.first_line);
        self.marks.push(Mark { class, name, guards: guards.to_vec(), line });
    }
}

fn is_callee(node: Node) -> bool {
    node.parent().is_some_and(|parent| {
        parent.kind() == "call_expression"
            && parent.child_by_field_name("function").map(|f| f.id()) == Some(node.id())
    })
}

/// What a child of a node is guarded by.
fn guard(node: Node, index: u32, child: Node) -> Option<&'static str> {
    let field = node.field_name_for_child(index);
    match (node.kind(), field) {
        ("if_statement", Some("consequence")) => Some("if"),
        ("if_statement", Some("alternative")) => Some("else"),
        ("for_statement" | "for_range_loop", Some("body")) => Some("for"),
        ("while_statement" | "do_statement", Some("body")) => Some("while"),
        ("switch_statement", Some("body")) => Some("switch"),
        ("conditional_expression", Some("consequence" | "alternative")) => Some("?"),
        ("preproc_ifdef" | "preproc_if" | "preproc_else" | "preproc_elif", None) if child.is_named() => {
            Some("#if")
        }
        _ => None,
    }
}

/// What a call is by its name; a method by names that only atomics and barriers have.
pub(super) fn class_of(name: &str, method: bool) -> Option<Class> {
    const ATOMIC_METHODS: [&str; 10] = [
        "fetch_add",
        "fetch_sub",
        "fetch_or",
        "fetch_and",
        "fetch_xor",
        "fetch_max",
        "fetch_min",
        "exchange",
        "compare_exchange_strong",
        "compare_exchange_weak",
    ];
    if method {
        return match name {
            "sync" | "arrive" | "wait" | "arrive_and_wait" => Some(Class::Barrier),
            "load" | "store" => Some(Class::Atomic),
            _ if ATOMIC_METHODS.contains(&name) => Some(Class::Atomic),
            _ => None,
        };
    }
    if name.starts_with("__threadfence") || name.starts_with("atomic_thread_fence") {
        Some(Class::Fence)
    } else if name.starts_with("__syncthreads") || name.starts_with("__syncwarp") {
        Some(Class::Barrier)
    } else if name.starts_with("atomic") {
        Some(Class::Atomic)
    } else {
        None
    }
}

fn is_plain_builtin(name: &str) -> bool {
    name.starts_with("__")
        || matches!(name, "min" | "max" | "printf" | "static_cast" | "sizeof" | "float" | "int")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, snippet: bool) -> Vec<String> {
        let helpers = HashMap::from([("FENCE".to_owned(), (Class::Fence, "__threadfence".to_owned()))]);
        marks(text, snippet, &helpers)
            .iter()
            .map(|m| format!("{} {:?} {} [{}]", m.line, m.class, m.name, m.guards.join(" ")))
            .collect()
    }

    #[test]
    fn a_snippet_is_read_in_its_order() {
        let text = "if (tid == 0) {\n    partials[blockIdx.x] = blockSum;\n    FENCE();\n    const unsigned t = atomicAdd(counter, 1u);\n}\n__syncthreads();";
        assert_eq!(
            shown(text, true),
            [
                "2 Store partials [if]",
                "3 Fence __threadfence [if]",
                "4 Atomic atomicAdd [if]",
                "6 Barrier __syncthreads []"
            ]
        );
    }

    #[test]
    fn methods_scopes_and_conditionals() {
        let text = "__global__ void k(int* out) {\n  cuda::atomic_thread_fence(a, b);\n  const int old = ticket.fetch_add(1u);\n#ifndef SKIP_SYNC\n  __syncthreads();\n#endif\n  for (;;) *out = reduceBlock(1);\n}";
        assert_eq!(
            shown(text, false),
            [
                "2 Fence atomic_thread_fence []",
                "3 Atomic fetch_add []",
                "5 Barrier __syncthreads [#if]",
                "7 Call reduceBlock [for]",
                "7 Store out [for]"
            ]
        );
    }
}
