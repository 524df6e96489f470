//! Whole programs from the repository's own kernels, in a person's own style.

use std::fs;
use std::path::Path;

use super::Dice;

/// A file of the repository.
pub fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn starter(exercise: &str) -> String {
    file(&format!("exercises/{exercise}/template.cu"))
}

/// The definition of `kernel`, from `__global__` to its closing brace; `None` when the text has none.
pub fn definition<'a>(text: &'a str, kernel: &str) -> Option<&'a str> {
    let start = text.find(&format!("__global__ void {kernel}("))?;
    let end = text[start..].find("\n}").map(|at| start + at + 2)?;
    Some(&text[start..end])
}

/// `program` with its `kernel` as `from` defines it.
pub fn with_kernel(program: &str, kernel: &str, from: &str) -> String {
    match (definition(program, kernel), definition(from, kernel)) {
        (Some(old), Some(new)) => program.replacen(old, new, 1),
        _ => program.to_owned(),
    }
}

/// `program` with a statement of nobody else's at the start of `kernel`: it does nothing, and is another program.
pub fn with_own_statement(program: &str, kernel: &str, dice: &mut Dice) -> String {
    let Some(old) = definition(program, kernel) else { return program.to_owned() };
    let odd = dice.below(1 << 30) * 2 + 1;
    let new = old.replacen("{\n", &format!("{{\n    if (n == {odd}ull) {{\n        return;\n    }}\n"), 1);
    program.replacen(old, &new, 1)
}

/// The same program as somebody else would type it: a head, remarks, blank lines, another indentation, other line ends.
pub fn in_own_style(program: &str, who: &str, dice: &mut Dice) -> Vec<u8> {
    const REMARKS: [&str; 8] = [
        "// why??",
        "// TODO ask in the lab",
        "/* every thread comes here */",
        "// see slide 34",
        "// works on my machine",
        "// <b>important</b> & \"quoted\"",
        "// tid == 0 only",
        "// ---",
    ];
    let indent = dice.weigh(&[(6, "    "), (2, "  "), (1, "\t")]);
    let mut text = String::new();
    for line in 0..dice.below(7) {
        text.push_str(&match line {
            0 => format!("// {who}\n"),
            1 => "// Exercise, week 9\n".to_owned(),
            _ => "//\n".to_owned(),
        });
    }
    for line in program.lines() {
        let depth = line.len() - line.trim_start_matches(' ').len();
        // A continuation is aligned with its parenthesis, not indented.
        match depth % 4 == 0 && depth <= 16 {
            true => text.push_str(&indent.repeat(depth / 4)),
            false => text.push_str(&" ".repeat(depth)),
        }
        text.push_str(line.trim_start_matches(' '));
        let whole = line.ends_with([';', '{', '}']) && !line.contains("#define");
        if whole && dice.one_in(40) {
            text.push(' ');
            text.push_str(dice.pick(&REMARKS));
        }
        text.push('\n');
        if whole && dice.one_in(30) {
            text.push('\n');
        }
    }
    if dice.one_in(8) {
        text = text.replace('\n', "\r\n");
    }
    let mut bytes = text.into_bytes();
    if dice.one_in(20) {
        bytes.splice(0..0, [0xef, 0xbb, 0xbf]);
    }
    bytes
}
