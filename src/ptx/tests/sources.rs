//! Real output of NVRTC: source positions through inlining, and the normalised text.

use super::grammar::there_and_back;
use crate::ptx::{Frame, Instruction, Module, SourceLines, Statement};

const INLINING: &str = include_str!("samples/inlining.ptx");

/// Every instruction of a function with its frames, nested scopes included.
fn located(module: &Module, function: &str) -> Vec<(Instruction, Vec<Frame>)> {
    fn walk<'m>(
        body: &'m [Statement],
        lines: &mut SourceLines<'m>,
        into: &mut Vec<(Instruction, Vec<Frame>)>,
    ) {
        for statement in body {
            match statement {
                Statement::Loc(loc) => lines.enter(loc),
                Statement::Block(inner) => walk(inner, lines, into),
                Statement::Instruction(i) => into.push((i.clone(), lines.frames())),
                _ => {}
            }
        }
    }
    let function = module.functions.iter().rfind(|f| f.name == function).unwrap();
    let mut all = Vec::new();
    walk(function.body.as_ref().unwrap(), &mut SourceLines::new(module, function), &mut all);
    all
}

fn chain(frames: &[Frame]) -> Vec<(&str, u32)> {
    frames.iter().map(|f| (&f.function[..], f.line)).collect()
}

#[test]
fn inlined_chains_innermost_first() {
    let module = there_and_back(INLINING);
    let all = located(&module, "k");
    let multiplications: Vec<_> = all
        .iter()
        .filter(|(i, _)| i.mnemonic() == "mul.lo.s32")
        .map(|(_, frames)| chain(frames))
        .take(3)
        .collect();
    let through = |line| vec![("triple", 2), ("twice", line), ("ns::Shift<3>::apply", 9), ("k", 29)];
    assert_eq!(multiplications, [through(4), through(5), vec![("k", 35)]]);
    // The addition's `.loc` does not repeat its callers: they come from earlier ones.
    let addition =
        all.iter().find(|(i, f)| i.opcode == "add" && chain(f).first() == Some(&("twice", 5))).unwrap();
    assert_eq!(chain(&addition.1), [("twice", 5), ("ns::Shift<3>::apply", 9), ("k", 29)]);
    assert_eq!(addition.1[0].file, "inlining.cu");
    assert_eq!(addition.1[1].mangled, "_ZNK2ns5ShiftILi3EE5applyEiPi");
}

#[test]
fn plain_lines() {
    let module = there_and_back(INLINING);
    let all = located(&module, "k");
    let line_of = |mnemonic: &str| {
        let (_, frames) = all.iter().find(|(i, _)| i.mnemonic() == mnemonic).unwrap();
        (frames.len(), frames[0].line, frames[0].column)
    };
    assert_eq!(line_of("bar.sync"), (1, 27, 5));
    assert_eq!(line_of("shfl.sync.bfly.b32"), (1, 44, 5));
    assert_eq!(line_of("membar.gl"), (1, 43, 5));
    assert_eq!(located(&module, "_Z7plusOnei")[0].1[0].function, "plusOne");
}

#[test]
fn the_normalised_text_forgets_the_layout_alone() {
    let module = there_and_back(INLINING);
    let moved = INLINING.replace(".loc\t1 29 5", ".loc\t1 290 7").replace("inlining.cu", "other.cu");
    assert_ne!(moved, INLINING);
    let moved = there_and_back(&format!("// a comment\n\n{moved}"));
    assert_ne!(module, moved);
    assert_eq!(module.normalised_text(), moved.normalised_text());
    assert_eq!(module.normalised_hash(), moved.normalised_hash());
    let changed = there_and_back(&INLINING.replace("bar.sync \t0", "bar.sync \t1"));
    assert_ne!(module.normalised_hash(), changed.normalised_hash());
    for trace in [".loc ", ".file", ".section", "//"] {
        assert!(!module.normalised_text().contains(trace));
    }
}

#[test]
fn an_unknown_call_site_is_the_kernel_s() {
    let text = ".version 8.8\n.entry k() {\n.loc 1 5 2, function_name s+2, inlined_at 1 9 3\nret;\n}\n\
                .section .debug_str { s: .b8 97,0,102,0 }";
    let module = there_and_back(text);
    assert_eq!(chain(&located(&module, "k")[0].1), [("f", 5), ("k", 9)]);
}
