//! Generated modules come back from their own text; no text makes the parser panic.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::grammar::there_and_back;
use crate::ptx::{
    AddressBase, Directive, Function, FunctionKind, Init, InlinedAt, Instruction, Linkage, Loc, Module,
    Operand, Predicate, RegisterName, StateSpace, Statement, Type, Variable, parse,
};

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z$%][a-zA-Z0-9_$]{1,8}|_[a-z$][a-zA-Z0-9_$]{0,6}"
}

/// A name that cannot be taken for `generic(`.
fn symbol() -> impl Strategy<Value = String> {
    name().prop_filter("a keyword", |n| n != "generic")
}

fn qualifier() -> impl Strategy<Value = String> {
    "[a-z0-9][a-zA-Z0-9_]{0,6}(::[a-z0-9]{1,6})?"
}

fn ty() -> impl Strategy<Value = Type> {
    prop::sample::select(vec![
        Type::S8,
        Type::S16,
        Type::S32,
        Type::S64,
        Type::U8,
        Type::U16,
        Type::U32,
        Type::U64,
        Type::F16,
        Type::F16x2,
        Type::Bf16,
        Type::Bf16x2,
        Type::F32,
        Type::F64,
        Type::B8,
        Type::B16,
        Type::B32,
        Type::B64,
        Type::B128,
        Type::Pred,
    ])
}

fn linkage() -> impl Strategy<Value = Linkage> {
    prop::sample::select(vec![
        Linkage::Internal,
        Linkage::Visible,
        Linkage::Extern,
        Linkage::Weak,
        Linkage::Common,
    ])
}

fn int() -> impl Strategy<Value = i128> {
    prop_oneof![
        any::<i32>().prop_map(i128::from),
        any::<u64>().prop_map(i128::from),
        (1 - i128::MAX)..i128::MAX
    ]
}

fn init() -> impl Strategy<Value = Init> {
    let leaf = prop_oneof![
        int().prop_map(Init::Int),
        any::<u32>().prop_map(Init::F32),
        any::<u64>().prop_map(Init::F64),
        (symbol(), any::<i64>(), any::<bool>(), option::of(any::<u64>()))
            .prop_map(|(name, offset, generic, mask)| Init::Symbol { name, offset, generic, mask }),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| vec(inner, 0..4).prop_map(Init::List))
}

fn variable(spaces: &'static [StateSpace], linked: bool) -> impl Strategy<Value = Variable> {
    let attribute =
        prop_oneof![Just("attribute(.managed)".to_owned()), Just("ptr .global .align 8".to_owned())];
    let head = (
        linkage(),
        prop::sample::select(spaces),
        option::of(any::<u32>()),
        option::of(prop::sample::select(vec![2u8, 4, 8])),
        ty(),
        option::of(attribute),
    );
    (head, name(), vec(option::of(any::<u64>()), 0..3), option::of(init())).prop_map(
        move |((linkage, space, align, vector, ty, attribute), name, dims, init)| Variable {
            linkage: if linked { linkage } else { Linkage::Internal },
            space,
            align,
            vector,
            ty,
            name,
            dims,
            init,
            attributes: attribute.into_iter().collect(),
            ptx_line: 0,
        },
    )
}

fn simple_operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        ("[a-zA-Z$%][a-zA-Z0-9_$]{1,8}(\\.[xyzw])?", prop_oneof![Just(0), any::<i64>()])
            .prop_map(|(name, offset)| Operand::Name { name, offset }),
        name().prop_map(Operand::Not),
        int().prop_map(Operand::Int),
        any::<u32>().prop_map(Operand::F32),
        any::<u64>().prop_map(Operand::F64),
        (name(), any::<i64>())
            .prop_map(|(name, offset)| Operand::Address { base: AddressBase::Name(name), offset }),
        any::<i64>().prop_map(|offset| Operand::Address { base: AddressBase::Absolute, offset }),
        Just(Operand::Sink),
    ]
}

fn operand() -> impl Strategy<Value = Operand> {
    let plain = prop_oneof![
        simple_operand(),
        vec(simple_operand(), 0..4).prop_map(Operand::Vector),
        (simple_operand(), simple_operand()).prop_map(|(a, b)| Operand::Pair(Box::new(a), Box::new(b))),
        (name(), vec(name(), 1..4)).prop_map(|(name, inner)| {
            let inner = inner.into_iter().map(|name| Operand::Name { name, offset: 0 }).collect();
            Operand::Coordinates(vec![Operand::Name { name, offset: 0 }, Operand::Vector(inner)])
        }),
    ];
    prop_oneof![4 => plain, 1 => vec(simple_operand(), 0..3).prop_map(Operand::List)]
}

fn instruction() -> impl Strategy<Value = Instruction> {
    let predicate = (any::<bool>(), name()).prop_map(|(negated, register)| Predicate { negated, register });
    (option::of(predicate), "[a-z][a-z0-9]{1,7}", vec(qualifier(), 0..4), vec(operand(), 0..4)).prop_map(
        |(predicate, opcode, qualifiers, operands)| Instruction {
            predicate,
            opcode,
            qualifiers,
            operands,
            ptx_line: 0,
        },
    )
}

fn loc() -> impl Strategy<Value = Loc> {
    let inlined = (name(), any::<u32>(), any::<u32>(), any::<u32>(), any::<u32>()).prop_map(
        |(function, function_offset, file, line, column)| InlinedAt {
            function,
            function_offset,
            file,
            line,
            column,
        },
    );
    (any::<u32>(), any::<u32>(), any::<u32>(), option::of(inlined))
        .prop_map(|(file, line, column, inlined)| Loc { file, line, column, inlined })
}

const LOCAL: &[StateSpace] = &[StateSpace::Local, StateSpace::Shared, StateSpace::Param];
const GLOBAL: &[StateSpace] = &[StateSpace::Global, StateSpace::Const, StateSpace::Shared];
const PARAM: &[StateSpace] = &[StateSpace::Param, StateSpace::Reg];

fn parameters() -> impl Strategy<Value = Vec<Variable>> {
    vec(variable(PARAM, false), 0..3)
}

fn statement() -> impl Strategy<Value = Statement> {
    let register = (name(), option::of(any::<u32>())).prop_map(|(name, count)| RegisterName { name, count });
    let leaf = prop_oneof![
        5 => instruction().prop_map(Statement::Instruction),
        1 => name().prop_map(Statement::Label),
        1 => (ty(), option::of(Just(2u8)), vec(register, 1..3))
            .prop_map(|(ty, vector, names)| Statement::Registers { ty, vector, names }),
        1 => variable(LOCAL, true).prop_map(Statement::Variable),
        1 => loc().prop_map(Statement::Loc),
        1 => "[^\n]{0,12}".prop_map(Statement::Pragma),
        1 => (name(), vec(name(), 1..4)).prop_map(|(name, labels)| Statement::BranchTargets { name, labels }),
        1 => (name(), vec(name(), 1..4)).prop_map(|(name, functions)| Statement::CallTargets { name, functions }),
        1 => (name(), parameters(), parameters())
            .prop_map(|(name, results, params)| Statement::CallPrototype { name, results, params }),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| vec(inner, 0..5).prop_map(Statement::Block))
}

fn function() -> impl Strategy<Value = Function> {
    let directive = ("[a-z]{2,9}", vec(any::<u32>().prop_map(i64::from), 0..4))
        .prop_filter("read otherwise", |(name, _)| name != "pragma" && name != "attribute")
        .prop_map(|(name, values)| Directive { name, values });
    let kind = prop_oneof![Just(FunctionKind::Entry), Just(FunctionKind::Device)];
    let body = option::of(vec(statement(), 0..8));
    (linkage(), kind, name(), parameters(), parameters(), vec(directive, 0..3), body).prop_map(
        |(linkage, kind, name, results, params, directives, body)| Function {
            linkage,
            kind,
            name,
            results,
            params,
            directives,
            body,
            ptx_line: 0,
        },
    )
}

fn module() -> impl Strategy<Value = Module> {
    (
        (1u32..100, 0u32..100),
        vec("sm_[0-9]{2}[af]?", 0..3),
        prop::sample::select(vec![32u32, 64]),
        vec(variable(GLOBAL, true), 0..4),
        vec(function(), 0..4),
        prop::collection::btree_map(any::<u32>(), "\\PC{0,12}", 0..3),
        prop::collection::btree_map(name(), "\\PC{0,12}", 0..3),
    )
        .prop_map(|(version, targets, address_size, variables, functions, files, debug_strings)| {
            Module { version, targets, address_size, variables, functions, files, debug_strings }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn printed_modules_come_back(module in module()) {
        let text = module.to_string();
        let mut again = parse(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        again.forget_ptx_lines();
        prop_assert_eq!(&module, &again, "{}", text);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,200}") {
        let _ = parse(&text);
        let _ = parse(&format!(".version 8.8\n.entry k() {{ {text}"));
    }

    #[test]
    fn no_soup_of_tokens_panics(tokens in vec(prop::sample::select(TOKENS), 0..60)) {
        let text = format!(".version 8.8\n{}", tokens.join(" "));
        if parse(&text).is_ok() {
            there_and_back(&text);
        }
    }

    /// Real output with a piece cut out, doubled, or replaced by noise.
    #[test]
    fn no_mutation_panics(at in 0usize..SAMPLE.len(), length in 0usize..40, noise in "[ -~\n]{0,6}", twice: bool) {
        let cut = |i: usize| (0..=i.min(SAMPLE.len())).rev().find(|&i| SAMPLE.is_char_boundary(i)).unwrap_or(0);
        let (start, end) = (cut(at), cut(at + length));
        let kept = if twice { &SAMPLE[start..end] } else { "" };
        let text = format!("{}{kept}{noise}{kept}{}", &SAMPLE[..start], &SAMPLE[end..]);
        match parse(&text) {
            Ok(_) => { there_and_back(&text); }
            Err(error) => prop_assert!(error.line as usize <= text.lines().count() + 1),
        }
    }
}

const SAMPLE: &str = include_str!("samples/inlining.ptx");

const TOKENS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ";",
    ",",
    ":",
    "|",
    "!",
    "@",
    "+",
    "-",
    "=",
    "_",
    "\"s\"",
    "\"",
    "\n",
    "//",
    "/*",
    "*/",
    "0x1F",
    "0f3F800000",
    "0d",
    "1.5",
    "99999999999999999999999999999999999999999999",
    "-1",
    "%r1",
    "%p1",
    "k",
    "generic",
    ".entry",
    ".func",
    ".visible",
    ".global",
    ".shared",
    ".param",
    ".reg",
    ".align",
    "4",
    ".b32",
    ".u64",
    ".pred",
    ".v4",
    ".ptr",
    ".attribute",
    ".loc",
    ".file",
    ".section",
    ".debug_str",
    ".branchtargets",
    ".callprototype",
    ".calltargets",
    ".pragma",
    ".maxntid",
    ".version 8.8",
    ".target",
    "function_name",
    "inlined_at",
    "add.s32",
    "ld.global",
    ".unknown",
];
