//! File-scope items of a CUDA source: functions, constants, macros, and where each begins and ends.
//!
//! Works on tokens, not on a grammar, so that a kernel with a syntax error in it is still found whole, and a hostile file
//! costs no more than its length.

use super::conditional::{self, Reach};
use super::lex::{Lexed, Token, TokenKind};

/// A source with its items.
pub(super) struct Source<'t> {
    pub lexed: Lexed<'t>,
    pub reach: Vec<Reach>,
    pub items: Vec<Item>,
    /// Offsets of closing braces that close nothing.
    pub stray: Vec<usize>,
}

/// A file-scope item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub kind: ItemKind,
    /// The declared name; empty for what has none.
    pub name: String,
    /// Indices into [`Lexed::tokens`], both inclusive.
    pub first: usize,
    pub last: usize,
    /// Named namespaces around it.
    pub namespaces: Vec<String>,
    pub reach: Reach,
    /// `false` when its brace or parenthesis is never closed.
    pub closed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ItemKind {
    Function(Function),
    /// Declarators with an initialiser.
    Constant(Vec<Declarator>),
    /// Any other declaration: variables, prototypes.
    Declaration,
    Type,
    Using,
    StaticAssert,
    Define {
        function_like: bool,
    },
    Include,
    /// Conditionals: they belong to no item.
    Conditional,
    OtherDirective,
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Function {
    pub global: bool,
    pub device: bool,
    /// `template <…>` before it.
    pub template: bool,
    /// `name<…>(…)`.
    pub specialised: bool,
    /// Token indices of the name, of `(` and `)` of the parameters, of `{` of the body.
    pub name: usize,
    pub params: (usize, usize),
    pub body: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declarator {
    pub name: String,
    /// Token indices of the initialiser, first to last inclusive, without `=` or the outer braces of `{x}`.
    pub value: (usize, usize),
}

impl<'t> Source<'t> {
    /// Reads a text. `defines` are macros that the exercise's rows may define.
    pub fn new(text: &'t str, defines: &[String]) -> Self {
        let lexed = Lexed::new(text);
        let reach = conditional::reach(&lexed, defines);
        let (items, stray) = split(&lexed, &reach);
        Source { lexed, reach, items, stray }
    }

    pub fn tokens(&self, item: &Item) -> &[Token<'t>] {
        &self.lexed.tokens[item.first..=item.last]
    }

    pub fn line(&self, item: &Item) -> u32 {
        self.lexed.line(self.start(item))
    }

    pub fn last_line(&self, item: &Item) -> u32 {
        self.lexed.last_line(self.start(item), self.end(item))
    }

    pub fn start(&self, item: &Item) -> usize {
        self.lexed.tokens[item.first].start
    }

    pub fn end(&self, item: &Item) -> usize {
        self.lexed.tokens[item.last].end
    }
}

/// Indices of tokens that a build may see, with brace depths kept right over `#else`.
struct Splitter<'l, 't> {
    lexed: &'l Lexed<'t>,
    reach: &'l [Reach],
    /// Visible tokens.
    seen: Vec<usize>,
    items: Vec<Item>,
    stray: Vec<usize>,
    /// Names of open namespaces; `None` for `extern "C" {` and unnamed ones.
    scopes: Vec<Option<String>>,
}

fn split(lexed: &Lexed, reach: &[Reach]) -> (Vec<Item>, Vec<usize>) {
    let seen = (0..lexed.tokens.len()).filter(|&i| reach[i] != Reach::Inactive).collect();
    let mut splitter =
        Splitter { lexed, reach, seen, items: Vec::new(), stray: Vec::new(), scopes: Vec::new() };
    splitter.run();
    (splitter.items, splitter.stray)
}

impl Splitter<'_, '_> {
    fn text(&self, at: usize) -> &str {
        self.seen.get(at).map_or("", |&i| match self.lexed.tokens[i].kind {
            TokenKind::Directive(_) => "#",
            _ => self.lexed.tokens[i].text.as_ref(),
        })
    }

    fn directive(&self, at: usize) -> Option<&str> {
        let token = &self.lexed.tokens[*self.seen.get(at)?];
        matches!(token.kind, TokenKind::Directive(_)).then_some(token.text.as_ref())
    }

    fn run(&mut self) {
        let mut at = 0;
        while at < self.seen.len() {
            at = self.step(at);
        }
    }

    /// Handles what begins at a visible token; the index after it.
    fn step(&mut self, at: usize) -> usize {
        if self.directive(at).is_some() {
            self.push_directive(at);
            return at + 1;
        }
        match self.text(at) {
            ";" => at + 1,
            "}" => {
                if self.scopes.pop().is_none() {
                    self.stray.push(self.lexed.tokens[self.seen[at]].start);
                }
                at + 1
            }
            "namespace" => self.namespace(at),
            "inline" if self.text(at + 1) == "namespace" => self.namespace(at + 1),
            "extern" if self.text(at + 1).starts_with('"') && self.text(at + 2) == "{" => {
                self.scopes.push(None);
                at + 3
            }
            _ => self.item(at),
        }
    }

    fn namespace(&mut self, at: usize) -> usize {
        let mut name = String::new();
        let mut next = at + 1;
        while !matches!(self.text(next), "{" | ";" | "=" | "" | "#") {
            name.push_str(self.text(next));
            next += 1;
        }
        match self.text(next) {
            "{" => {
                self.scopes.push((!name.is_empty()).then_some(name));
                next + 1
            }
            "=" => self.item(at),
            _ => next.max(at + 1),
        }
    }

    fn push_directive(&mut self, at: usize) {
        let index = self.seen[at];
        let TokenKind::Directive(number) = self.lexed.tokens[index].kind else { return };
        let directive = &self.lexed.directives[number];
        let first = directive.tokens.first();
        let mut name = String::new();
        let kind = match directive.name.as_ref() {
            "define" => {
                name = first.map_or_else(String::new, |t| t.text.to_string());
                let opens = directive
                    .tokens
                    .get(1)
                    .zip(first)
                    .is_some_and(|(t, n)| t.text == "(" && t.start == n.end);
                ItemKind::Define { function_like: opens }
            }
            "include" | "include_next" | "import" => {
                name = directive.tokens.iter().map(|t| t.text.as_ref()).collect::<Vec<_>>().join(" ");
                ItemKind::Include
            }
            "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" | "else" | "endif" => {
                ItemKind::Conditional
            }
            other => {
                name = other.to_owned();
                ItemKind::OtherDirective
            }
        };
        self.push(kind, name, at, at, true);
    }

    fn push(&mut self, kind: ItemKind, name: String, first: usize, last: usize, closed: bool) {
        let namespaces = self.scopes.iter().take(64).flatten().take(8).cloned().collect();
        let first = self.seen[first];
        let last = self.seen[last.min(self.seen.len() - 1)];
        self.items.push(Item { kind, name, first, last, namespaces, reach: self.reach[first], closed });
    }

    /// A declaration or definition that begins here; the index after it.
    fn item(&mut self, at: usize) -> usize {
        let mut next = at;
        let mut assigned = false;
        let mut body = None;
        let starts_type = self.starts_type(at);
        loop {
            match self.text(next) {
                "" => {
                    let last = next.max(at + 1) - 1;
                    self.finish(at, last, body, assigned, false);
                    return next.max(at + 1);
                }
                ";" => {
                    self.finish(at, next, body, assigned, true);
                    return next + 1;
                }
                "#" if self.ends_before_directive(at, next) => {
                    self.finish(at, next - 1, body, assigned, false);
                    return next;
                }
                "<" if self.text(at) == "template" && next == at + 1 => {
                    next = self.past_template(at).max(next + 1)
                }
                "=" => {
                    assigned = true;
                    next += 1;
                }
                open @ ("(" | "[" | "{") => {
                    let is_body = open == "{" && !assigned && self.follows_parameters(next, at);
                    let (close, closed) = self.matching(next);
                    if is_body {
                        body = Some(next);
                    }
                    if !closed {
                        let last = close.max(next + 1) - 1;
                        self.finish(at, last, body, assigned, false);
                        return close.max(next + 1);
                    }
                    // A function ends with its body; a type, an initialiser, a lambda with the semicolon after it.
                    if is_body {
                        self.finish(at, close, body, assigned, true);
                        return close + 1;
                    }
                    let ends_here = open == "{"
                        && !assigned
                        && !starts_type
                        && !matches!(self.text(close + 1), ";" | "," | "{" | "[" | "=" | "(");
                    if ends_here {
                        self.finish(at, close, body, assigned, true);
                        return close + 1;
                    }
                    next = close + 1;
                }
                "}" if next > at => {
                    self.finish(at, next - 1, body, assigned, false);
                    return next;
                }
                "}" => return at + 1,
                _ => next += 1,
            }
        }
    }

    /// Past `template <…>`.
    fn past_template(&self, at: usize) -> usize {
        if self.text(at) != "template" || self.text(at + 1) != "<" {
            return at;
        }
        let mut depth = 0usize;
        for next in at + 1..at + 100 {
            match self.text(next) {
                "<" => depth += 1,
                ">" => depth -= 1,
                ">>" => depth = depth.saturating_sub(2),
                "" | ";" | "{" => return next,
                _ => {}
            }
            if depth == 0 {
                return next + 1;
            }
        }
        at
    }

    fn starts_type(&self, at: usize) -> bool {
        let at = self.past_template(at);
        (at..at + 4).map(|i| self.text(i)).any(|word| matches!(word, "struct" | "class" | "union" | "enum"))
    }

    /// A directive ends an item that has not got far: an expression statement gone wrong must not eat the file.
    fn ends_before_directive(&self, at: usize, next: usize) -> bool {
        next > at && matches!(self.directive(next), Some("include" | "define"))
    }

    /// Whether a `{` opens a function's body: what stands before it is `)`, but for trailing words.
    fn follows_parameters(&self, brace: usize, at: usize) -> bool {
        self.parameters_before(brace, at).is_some()
    }

    /// The `(` and `)` of the parameters of the function whose body opens at `brace`.
    fn parameters_before(&self, brace: usize, at: usize) -> Option<(usize, usize)> {
        let mut close = brace.checked_sub(1)?;
        loop {
            while close > at && matches!(self.text(close), "const" | "noexcept" | "override" | "final" | "#")
            {
                close -= 1;
            }
            if self.text(close) != ")" {
                return None;
            }
            let open = self.matching_back(close, at)?;
            let before = open.checked_sub(1).filter(|b| *b >= at)?;
            match self.text(before) {
                "noexcept" | "__launch_bounds__" | "__attribute__" | "__cluster_dims__" | "__declspec"
                    if before > at =>
                {
                    // `void __launch_bounds__(256) name(…)` does not come here; `name(…) __attribute__((…)) {` does.
                    close = before - 1;
                }
                _ => return Some((open, close)),
            }
        }
    }

    fn matching_back(&self, close: usize, at: usize) -> Option<usize> {
        let mut depth = 0usize;
        let mut next = close;
        loop {
            match self.text(next) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(next);
                    }
                }
                _ => {}
            }
            if next == at {
                return None;
            }
            next -= 1;
        }
    }

    /// The index of the bracket that closes the one here, and whether there is one. In another branch of a conditional
    /// the depth starts again from the branch before. A `__global__` within braces ends an unclosed body.
    fn matching(&self, open: usize) -> (usize, bool) {
        let mut stack: Vec<&str> = Vec::new();
        let mut branches: Vec<Vec<&str>> = Vec::new();
        let mut next = open;
        while next < self.seen.len() {
            match self.directive(next) {
                // Deeper than any program: every level keeps a copy of what is open.
                Some("if" | "ifdef" | "ifndef") if branches.len() >= 64 || stack.len() > 1_000 => {
                    return (next, false);
                }
                Some("if" | "ifdef" | "ifndef") => branches.push(stack.clone()),
                Some("else" | "elif" | "elifdef" | "elifndef") => {
                    if let Some(saved) = branches.last() {
                        stack.clone_from(saved);
                    }
                }
                Some("endif") => {
                    branches.pop();
                }
                Some(_) => {}
                None => match self.text(next) {
                    "(" => stack.push(")"),
                    "[" => stack.push("]"),
                    "{" => stack.push("}"),
                    close @ (")" | "]" | "}") => {
                        // A bracket of the wrong kind is the compiler's to report; braces decide.
                        if stack.last() == Some(&close) {
                            stack.pop();
                        } else if close == "}" {
                            while stack.pop().is_some_and(|s| s != "}") {}
                        }
                        if stack.is_empty() {
                            return (next, true);
                        }
                    }
                    "__global__" if stack.contains(&"}") => return (self.item_start_before(next), false),
                    _ => {}
                },
            }
            next += 1;
        }
        (next, false)
    }

    /// Back over what may stand before `__global__`: `template <…>`, `static`, `extern "C"`.
    fn item_start_before(&self, at: usize) -> usize {
        let mut start = at;
        while start > 0
            && (matches!(self.text(start - 1), "static" | "extern" | "inline")
                || self.text(start - 1).starts_with('"'))
        {
            start -= 1;
        }
        start
    }

    fn finish(&mut self, first: usize, last: usize, body: Option<usize>, assigned: bool, closed: bool) {
        if let Some(body) = body
            && let Some((function, name)) = self.function(first, body)
        {
            self.push(ItemKind::Function(function), name, first, last, closed);
            return;
        }
        // What stands before the first brace: `const` inside a body says nothing of the whole.
        let head = (first..=last).take(64).take_while(|&i| self.text(i) != "{");
        let has = |word: &str| head.clone().any(|i| self.text(i) == word);
        let (kind, name) = match self.text(first) {
            "static_assert" => (ItemKind::StaticAssert, String::new()),
            "using" | "typedef" | "namespace" => (ItemKind::Using, self.using_name(first, last)),
            _ if self.starts_type(first) && !assigned => (ItemKind::Type, self.type_name(first, last)),
            _ if has("constexpr") || has("const") || assigned => {
                let declarators = self.declarators(first, last);
                let name = declarators.first().map_or_else(String::new, |d| d.name.clone());
                if declarators.is_empty() {
                    (ItemKind::Declaration, self.declared_name(first, last))
                } else {
                    (ItemKind::Constant(declarators), name)
                }
            }
            _ if self.text(first).starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => {
                (ItemKind::Declaration, self.declared_name(first, last))
            }
            _ => (ItemKind::Other, String::new()),
        };
        self.push(kind, name, first, last, closed);
    }

    fn function(&self, first: usize, body: usize) -> Option<(Function, String)> {
        let params = self.parameters_before(body, first)?;
        let mut name = params.0.checked_sub(1).filter(|n| *n >= first)?;
        let specialised = self.text(name) == ">";
        if specialised {
            while name > first && self.text(name) != "<" {
                name -= 1;
            }
            name = name.checked_sub(1)?;
        }
        // `if (x) { … }` at file scope: a snippet, or what a brace too many has left over.
        if matches!(self.text(name), "if" | "for" | "while" | "switch" | "catch" | "return" | "constexpr") {
            return None;
        }
        let head = |word: &str| (first..name).any(|i| self.text(i) == word);
        let function = Function {
            global: head("__global__"),
            device: head("__device__"),
            template: self.text(first) == "template",
            specialised,
            name: self.seen[name],
            params: (self.seen[params.0], self.seen[params.1]),
            body: self.seen[body],
        };
        Some((function, self.text(name).to_owned()))
    }

    /// `using X = …`, `using a::X;`, `using namespace X;`, `namespace X = …`, `typedef … X;`.
    fn using_name(&self, first: usize, last: usize) -> String {
        let equals = (first..=last).find(|&i| self.text(i) == "=");
        let at = match (self.text(first), equals) {
            ("typedef", _) | (_, None) => last.saturating_sub(1).max(first),
            (_, Some(equals)) => equals.saturating_sub(1).max(first),
        };
        self.text(at).to_owned()
    }

    fn type_name(&self, first: usize, last: usize) -> String {
        let keyword = (first..=last).find(|&i| matches!(self.text(i), "struct" | "class" | "union" | "enum"));
        let Some(mut at) = keyword.map(|k| k + 1) else { return String::new() };
        while at < last
            && matches!(self.text(at), "class" | "struct" | "alignas" | "__align__" | "(" | ")" | "[" | "]")
            || self.text(at).starts_with(|c: char| c.is_ascii_digit())
        {
            at += 1;
        }
        let name = self.text(at);
        if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            name.to_owned()
        } else {
            String::new()
        }
    }

    /// The name of a declaration without a body: the last word before `=`, `(`, `[`, `{`, `;`.
    fn declared_name(&self, first: usize, last: usize) -> String {
        let mut name = "";
        for at in first..=last {
            match self.text(at) {
                "=" | "(" | "[" | "{" | ";"
                    if !matches!(name, "__launch_bounds__" | "__align__" | "alignas" | "") =>
                {
                    break;
                }
                word if word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => name = word,
                _ => {}
            }
        }
        name.to_owned()
    }

    /// `constexpr int a = 1, b{2};`: names with their initialisers.
    fn declarators(&self, first: usize, last: usize) -> Vec<Declarator> {
        let mut found = Vec::new();
        let mut name = String::new();
        let mut at = first;
        let end = if self.text(last) == ";" { last } else { last + 1 };
        while at < end {
            match self.text(at) {
                "=" if !name.is_empty() => {
                    let mut stop = at + 1;
                    while stop < end && self.text(stop) != "," {
                        let opens = matches!(self.text(stop), "(" | "[" | "{");
                        stop = if opens { self.matching(stop).0 + 1 } else { stop + 1 };
                    }
                    let stop = stop.min(end);
                    if stop > at + 1 {
                        let value = (self.seen[at + 1], self.seen[stop - 1]);
                        found.push(Declarator { name: std::mem::take(&mut name), value });
                    }
                    at = stop;
                }
                "{" if !name.is_empty() => {
                    let close = self.matching(at).0;
                    if close > at + 1 && close < end {
                        let value = (self.seen[at + 1], self.seen[close - 1]);
                        found.push(Declarator { name: std::mem::take(&mut name), value });
                    }
                    at = close + 1;
                }
                "(" | "[" => at = self.matching(at).0 + 1,
                word if word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') => {
                    name = word.to_owned();
                    at += 1;
                }
                _ => at += 1,
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(text: &str) -> Vec<String> {
        let source = Source::new(text, &["SKIP_SYNC".to_owned()]);
        source
            .items
            .iter()
            .map(|item| {
                let kind = match &item.kind {
                    ItemKind::Function(f) if f.global => "kernel",
                    ItemKind::Function(f) if f.device => "device",
                    ItemKind::Function(_) => "function",
                    ItemKind::Constant(_) => "constant",
                    ItemKind::Declaration => "declaration",
                    ItemKind::Type => "type",
                    ItemKind::Using => "using",
                    ItemKind::StaticAssert => "assert",
                    ItemKind::Define { .. } => "define",
                    ItemKind::Include => "include",
                    ItemKind::Conditional => "conditional",
                    ItemKind::OtherDirective => "directive",
                    ItemKind::Other => "other",
                };
                format!("{kind} {}{}", item.name, if item.closed { "" } else { " (open)" })
            })
            .collect()
    }

    #[test]
    fn every_kind_of_item_is_told() {
        let text = "#include <cstdio>\n#define F(x) x\nconstexpr int a = 1, b{2};\nstatic_assert(a == 1, \"x\");\n\
            template <typename T> __device__ T f(T x) { return x; }\nextern \"C\" __global__ void __launch_bounds__(256) k(int* p) { if (*p) { *p = 1; } }\n\
            struct S { int x; };\nusing T = int;\nnamespace n { __global__ void k(int*) {} }\n\
            __device__ int v;\nint main() { return 0; }\nconstexpr int c[2] = {32, a};\nauto l = [] (int x) { return x; };\nvoid p(int);";
        assert_eq!(
            names(text),
            [
                "include <cstdio>",
                "define F",
                "constant a",
                "assert ",
                "device f",
                "kernel k",
                "type S",
                "using T",
                "kernel k",
                "declaration v",
                "function main",
                "constant c",
                "constant l",
                "declaration p"
            ]
        );
    }

    #[test]
    fn an_unclosed_kernel_ends_before_the_next() {
        assert_eq!(
            names("__global__ void a(int* p) { if (*p) {\n}\nstatic __global__ void b(int* p) { }"),
            ["kernel a (open)", "kernel b"]
        );
    }

    #[test]
    fn branches_of_a_conditional_may_each_open_a_brace() {
        assert_eq!(
            names(
                "__global__ void a(int* p) {\n#ifdef SKIP_SYNC\nif (*p) {\n#else\nif (!*p) {\n#endif\n}\n}\nint x;"
            ),
            ["kernel a", "declaration x"]
        );
    }

    #[test]
    fn a_stray_brace_is_told() {
        assert_eq!(Source::new("void f() { } }\nint x;", &[]).stray.len(), 1);
    }

    proptest! {
        #[test]
        fn any_text_splits(text in "(__global__|void|k|\\(|\\)|\\{|\\}|\\[|\\]|;|=|,|<|>|template|namespace|struct|const|#if 0|#else|#endif|#define|\n| |extern|\"C\"|1|//|using){0,80}") {
            let source = Source::new(&text, &[]);
            for item in &source.items {
                prop_assert!(item.first <= item.last && item.last < source.lexed.tokens.len());
            }
        }
    }
}
