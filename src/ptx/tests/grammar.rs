//! Every form that NVRTC or inline assembly writes, one small text each.

use crate::ptx::{
    AddressBase, Function, Init, Instruction, Linkage, Module, Operand, StateSpace, Statement, Type, parse,
};

/// Parses, prints, parses again: both trees must be the same, PTX line numbers apart.
pub fn there_and_back(text: &str) -> Module {
    let mut module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let printed = module.to_string();
    let original = module.clone();
    let mut again = parse(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
    module.forget_ptx_lines();
    again.forget_ptx_lines();
    assert_eq!(module, again, "{printed}");
    original
}

fn module(rest: &str) -> Module {
    there_and_back(&format!(".version 8.8\n.target sm_75\n.address_size 64\n{rest}\n"))
}

fn body(statements: &str) -> Vec<Statement> {
    let module = module(&format!(".visible .entry k()\n{{\n{statements}\n}}"));
    module.functions.into_iter().next().and_then(|f| f.body).unwrap()
}

fn instruction(text: &str) -> Instruction {
    match body(text).remove(0) {
        Statement::Instruction(instruction) => instruction,
        other => panic!("{other:?}"),
    }
}

fn operands(text: &str) -> Vec<Operand> {
    instruction(&format!("op {text};")).operands
}

fn name(name: &str) -> Operand {
    Operand::Name { name: name.to_owned(), offset: 0 }
}

#[test]
fn header() {
    let m = there_and_back(".version 8.8\n.target sm_90a, debug\n.address_size 64\n");
    assert_eq!((m.version, m.targets, m.address_size), ((8, 8), vec!["sm_90a".into(), "debug".into()], 64));
}

#[test]
fn global_variables() {
    let m = module(
        ".global .align 4 .u32 kBlocks = 1024;\n.global .align 4 .s32 low = -125;\n\
         .visible .global .align 8 .f64 d = 0d3FF8000000000000;\n.weak .global .f32 f = 0f3FC00000;\n\
         .extern .shared .align 16 .b8 tile[];\n.const .align 1 .b8 msg[6] = {104, 0x65, 0154, 0b1101100, 111U};\n\
         .common .global .v4 .f32 quad[2][3];\n.global .attribute(.managed) .align 4 .u32 m;",
    );
    let by_name = |n: &str| m.variables.iter().find(|v| v.name == n).unwrap();
    assert_eq!(by_name("kBlocks").init, Some(Init::Int(1024)));
    assert_eq!(by_name("low").init, Some(Init::Int(-125)));
    assert_eq!(by_name("d").init, Some(Init::F64(1.5f64.to_bits())));
    assert_eq!(by_name("f").init, Some(Init::F32(1.5f32.to_bits())));
    assert_eq!(by_name("f").linkage, Linkage::Weak);
    let tile = by_name("tile");
    assert_eq!(
        (tile.linkage, tile.space, &tile.dims[..]),
        (Linkage::Extern, StateSpace::Shared, &[None][..])
    );
    assert_eq!(by_name("msg").init, Some(Init::List([104, 101, 108, 108, 111].map(Init::Int).to_vec())));
    let quad = by_name("quad");
    assert_eq!((quad.vector, &quad.dims[..], quad.ty), (Some(4), &[Some(2), Some(3)][..], Type::F32));
    assert_eq!(by_name("m").attributes, ["attribute(.managed)"]);
}

#[test]
fn initialisers_that_are_addresses() {
    let m = module(
        ".global .align 4 .b8 g[12] = {1};\n.global .u64 p = generic(g)+4;\n.global .u64 q[3] = {g, generic(g), g-8};\n\
         .global .b8 bytes[2] = {0xFF(g), 0xFF00(generic(g)+4)};",
    );
    let symbol = |offset, generic, mask| Init::Symbol { name: "g".into(), offset, generic, mask };
    assert_eq!(m.variables[1].init, Some(symbol(4, true, None)));
    let q = vec![symbol(0, false, None), symbol(0, true, None), symbol(-8, false, None)];
    assert_eq!(m.variables[2].init, Some(Init::List(q)));
    let bytes = vec![symbol(0, false, Some(0xFF)), symbol(4, true, Some(0xFF00))];
    assert_eq!(m.variables[3].init, Some(Init::List(bytes)));
}

#[test]
fn functions_and_their_directives() {
    let m = module(
        ".extern .func  (.param .b32 func_retval0) vprintf\n(\n.param .b64 vprintf_param_0,\n.param .b64 vprintf_param_1\n)\n;\n\
         .func stop() .noreturn;\n.visible .entry k(\n.param .u64 .ptr .global .align 8 k_param_0,\n.param .align 16 .b8 k_param_1[48]\n)\n\
         .maxntid 256, 1, 1\n.minnctapersm 2\n.reqnctapercluster 2\n{\nret;\n}",
    );
    let [printf, stop, k] = &m.functions[..] else { panic!() };
    assert_eq!((printf.linkage, printf.results.len(), printf.params.len()), (Linkage::Extern, 1, 2));
    assert_eq!(stop.directives[0].name, "noreturn");
    assert_eq!(k.params[0].attributes, ["ptr .global .align 8"]);
    assert_eq!((k.params[0].align, k.params[1].align), (None, Some(16)));
    assert_eq!(k.directives[0].values, [256, 1, 1]);
    assert_eq!(k.directives.len(), 3);
}

#[test]
fn either_order_of_qualifiers() {
    assert_eq!(instruction("fence.gpu.sc;").qualifiers, ["gpu", "sc"]);
    assert_eq!(instruction("fence.sc.gpu;").qualifiers, ["sc", "gpu"]);
    assert_eq!(instruction("ld.shared::cta.L2::128B.v4.b32 a, [b];").qualifiers[1], "L2::128B");
    assert_eq!(instruction("membar.gl;").mnemonic(), "membar.gl");
    assert_eq!(instruction("tex.2d.v4.f32.s32 {a,b,c,d}, [t, {x,y}];").qualifiers[0], "2d");
}

#[test]
fn guards() {
    let guard = |text| instruction(text).predicate.map(|p| (p.negated, p.register));
    assert_eq!(guard("@%p1 bra $L__BB0_3;"), Some((false, "%p1".into())));
    assert_eq!(guard("@!q bra.uni $L__BB0_3;"), Some((true, "q".into())));
    assert_eq!(guard("bra $L__BB0_3;"), None);
}

#[test]
fn operands_of_every_kind() {
    let address = |base: &str, offset| Operand::Address { base: AddressBase::Name(base.into()), offset };
    assert_eq!(operands("%r1, %tid.x, _"), [name("%r1"), name("%tid.x"), Operand::Sink]);
    assert_eq!(operands("1, -1, 0x1F, 0b11, 017, 7U"), [1, -1, 31, 3, 15, 7].map(Operand::Int));
    assert_eq!(operands("0xFFFFFFFFFFFFFFFFU"), [Operand::Int(u64::MAX.into())]);
    assert_eq!(
        operands("0f3F800000, 0d3FF0000000000000"),
        [Operand::F32(1f32.to_bits()), Operand::F64(1f64.to_bits())]
    );
    let decimals = [1.5, -0.25, 1e-5, 2e3].map(|v: f64| Operand::F64(v.to_bits()));
    assert_eq!(operands("1.5, -0.25, 1e-5, 2E+3"), decimals);
    assert_eq!(operands("[%rd1], [%rd1+8]"), [address("%rd1", 0), address("%rd1", 8)]);
    assert_eq!(operands("[%rd1+-8], [sym-4]"), [address("%rd1", -8), address("sym", -4)]);
    assert_eq!(operands("[16]"), [Operand::Address { base: AddressBase::Absolute, offset: 16 }]);
    assert_eq!(operands("sym+4"), [Operand::Name { name: "sym".into(), offset: 4 }]);
    assert_eq!(operands("{%r1, _, 3}"), [Operand::Vector(vec![name("%r1"), Operand::Sink, Operand::Int(3)])]);
    let pair = |a, b| Operand::Pair(Box::new(a), Box::new(b));
    assert_eq!(operands("%r1|%p1, _|q"), [pair(name("%r1"), name("%p1")), pair(Operand::Sink, name("q"))]);
    assert_eq!(operands("!%p3"), [Operand::Not("%p3".into())]);
    let coordinates = vec![name("t"), Operand::Vector(vec![name("x"), name("y")])];
    assert_eq!(operands("[t, {x, y}]"), [Operand::Coordinates(coordinates)]);
}

#[test]
fn calls() {
    let call = instruction("call.uni (retval0), \n_Z4noini6float4, \n(\nparam0, \nparam1\n);");
    let expected = [
        Operand::List(vec![name("retval0")]),
        name("_Z4noini6float4"),
        Operand::List(vec![name("param0"), name("param1")]),
    ];
    assert_eq!(call.operands, expected);
    let call = instruction("call (retval0), %rd19, (param0), prototype_1;");
    assert_eq!(call.operands[3], name("prototype_1"));
    assert_eq!(instruction("call f, ();").operands[1], Operand::List(vec![]));
}

#[test]
fn statements_of_every_kind() {
    let all = body(
        ".reg .pred %p<12>;\n.reg .b64 %SP, %SPL;\n.reg .v2 .f32 pair;\n.local .align 16 .b8 __local_depot5[64];\n\
         .shared .align 4 .b8 tile[128];\n.pragma \"nounroll\";\n$L__BB0_1: add.s32 %r1, %r1, 1; // and a comment\n\
         /* another\n one */ { // callseq 0, 0\n.param .align 16 .b8 param1[16];\n{ .reg .pred q; setp.ne.u32 q, %r1, 0; @q membar.gl; }\n}\n\
         $L_brx_0: .branchtargets\n$L__BB0_1,\n$L__BB0_2;\nprototype_1 : .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[16]) .noreturn;\n\
         targets: .calltargets f, g;\n$L__BB0_2:\nret;",
    );
    let registers: Vec<_> = all
        .iter()
        .filter_map(|s| match s {
            Statement::Registers { ty, vector, names } => Some((*ty, *vector, names.len(), names[0].count)),
            _ => None,
        })
        .collect();
    let expected =
        [(Type::Pred, None, 1, Some(12)), (Type::B64, None, 2, None), (Type::F32, Some(2), 1, None)];
    assert_eq!(registers, expected);
    let Some(Statement::Block(outer)) = all.iter().find(|s| matches!(s, Statement::Block(_))) else {
        panic!()
    };
    assert!(
        matches!(&outer[0], Statement::Variable(v) if v.space == StateSpace::Param && v.name == "param1")
    );
    assert!(matches!(&outer[1], Statement::Block(inner) if inner.len() == 3));
    assert!(all.iter().any(|s| matches!(s, Statement::BranchTargets { labels, .. } if labels.len() == 2)));
    assert!(
        all.iter()
            .any(|s| matches!(s, Statement::CallPrototype { params, .. } if params[1].dims == [Some(16)]))
    );
    assert!(
        all.iter().any(|s| matches!(s, Statement::CallTargets { functions, .. } if functions.len() == 2))
    );
    assert!(all.iter().any(|s| matches!(s, Statement::Pragma(p) if p == "nounroll")));
    assert_eq!(all.iter().filter(|s| matches!(s, Statement::Label(_))).count(), 2);
}

#[test]
fn ptx_lines_are_kept() {
    let m = parse(".version 8.8\n.visible .entry k()\n{\n/* two\nlines */ ret; exit;\n}\n").unwrap();
    let lines = m.functions[0].body.iter().flatten().map(|s| match s {
        Statement::Instruction(i) => i.ptx_line,
        other => panic!("{other:?}"),
    });
    assert_eq!(lines.collect::<Vec<_>>(), [5, 5]);
    assert_eq!(m.functions[0].ptx_line, 2);
}

#[test]
fn unknown_directives_are_passed_over_but_instructions_never() {
    let m = module(
        ".alias f, g;\n.strange thing\n.strange2 { x { y } z }\n.visible .entry k()\n.newfangled 3\n{\n.whatever 1 2\nret;\n}",
    );
    let Function { body: Some(body), directives, .. } = &m.functions[0] else { panic!() };
    assert_eq!((body.len(), &directives[0].name[..]), (1, "newfangled"));
    assert_eq!(instruction("frobnicate.x.y %r1, %r2;").opcode, "frobnicate");
}

#[test]
fn files_and_debug_strings() {
    let m = module(
        ".file 1 \"/a dir/\\\"x\\\".cu\"\n.file 2 \"b.h\", 1234, 56\n.section .debug_str\n{\n$L__info_string0:\n.b8 95,90,49\n.b8 97,0\n\
         $L__info_string1:\n.b8 98,0,99,0\n}\n.section .debug_loc { .b64 a-b {} }",
    );
    assert_eq!(m.files[&1], "/a dir/\"x\".cu");
    assert_eq!(m.files[&2], "b.h");
    assert_eq!(m.debug_strings["$L__info_string0"], "_Z1a");
    assert_eq!(m.debug_strings["$L__info_string1"], "b\0c");
}

fn refused(text: &str) -> (u32, u32, String) {
    let error = parse(text).unwrap_err();
    assert!(
        error.to_string().starts_with(&format!("PTX line {}, column {}: found ", error.line, error.column))
    );
    (error.line, error.column, error.found)
}

#[test]
fn errors_name_the_place() {
    let k = |body: &str| format!(".version 8.8\n.entry k()\n{{\n{body}\n}}\n");
    assert_eq!(refused(&k("add.s32 %r1 %r2;")), (4, 13, "`%r2`".into()));
    assert_eq!(refused(&k("ld.u32 %r1, [%r2;")), (4, 17, "`;`".into()));
    assert_eq!(refused(&k("mov.u32 %r1, 0xZZ;")), (4, 14, "`0xZZ`".into()));
    assert_eq!(refused(&k("mov.f32 %r1, 0f12;")), (4, 14, "`0f12`".into()));
    assert_eq!(refused(".version 8.8\n.entry k()\n{\nret;\n"), (5, 1, "the end of the text".into()));
    assert_eq!(refused(""), (1, 1, "the end of the text".into()));
    assert_eq!(refused(".version 8.8\nnonsense"), (2, 1, "`nonsense`".into()));
    assert_eq!(refused(".version 8.8\n.global .u33 x;"), (2, 9, "`.u33`".into()));
}

#[test]
fn hostile_nesting_is_refused_in_words() {
    let deep = format!(".version 8.8\n.entry k() {}", "{".repeat(1_000_000));
    assert!(parse(&deep).unwrap_err().expected.contains("100 deep"));
    let deep = format!(".version 8.8\n.global .b8 x[1] = {}", "{".repeat(1_000_000));
    assert!(parse(&deep).unwrap_err().expected.contains("16 deep"));
    for open in ["(", "[", "!", "-", "a|", "{"] {
        let text = format!(".version 8.8\n.entry k() {{ op {};", open.repeat(1_000_000));
        assert!(parse(&text).is_err());
    }
}
