//! C++ names as a person wrote them, from the mangled names of PTX.

use cpp_demangle::{DemangleOptions, Symbol};

/// Longest mangled name that is taken apart; a longer one (they come from hostile templates) is shown as it is.
const MAX_MANGLED: usize = 4096;

/// The source name of a function or variable, without parameters or return type.
///
/// `_Z16sumLastBlockRacyPKfPfS1_Pjm` is `sumLastBlockRacy`, `_ZN2ns4scanILi256EEEvPi` is `ns::scan<256>`, and a variable
/// of a function goes by its own name alone: `_ZZ16sumLastBlockRacyPKfPfS1_PjmE4tile` is `tile`.
/// A name that is not mangled comes back as it is.
pub fn plain_name(mangled: &str) -> String {
    if !mangled.starts_with("_Z") || mangled.len() > MAX_MANGLED {
        return mangled.to_owned();
    }
    let options = DemangleOptions::new().no_params().no_return_type().hide_expression_literal_types();
    // Clones that the compiler makes carry a suffix behind a `$` or `.`, which is not part of the mangling.
    let base = mangled.split(['$', '.']).next().unwrap_or(mangled);
    let Some(name) = Symbol::new(base).ok().and_then(|symbol| symbol.demangle_with_options(&options).ok())
    else {
        return mangled.to_owned();
    };
    let name = without_unit_names(name.trim_end_matches(" const"));
    if !base.starts_with("_ZZ") {
        return name;
    }
    match name.split_once("::{lambda") {
        Some((function, rest)) if rest.ends_with("operator()") => {
            format!("lambda in {}", function.split('(').next().unwrap_or(function))
        }
        _ => last_component(&name).to_owned(),
    }
}

/// The source name of a function with its parameters' types: `_Z4copyPKfPf` is `copy(float const*, float*)`.
pub fn signature(mangled: &str) -> String {
    let base = mangled.split(['$', '.']).next().unwrap_or(mangled);
    if !base.starts_with("_Z") || base.len() > MAX_MANGLED {
        return mangled.to_owned();
    }
    let options = DemangleOptions::new().no_return_type().hide_expression_literal_types();
    let name = Symbol::new(base).ok().and_then(|symbol| symbol.demangle_with_options(&options).ok());
    name.map_or_else(|| mangled.to_owned(), |name| without_unit_names(&name))
}

/// Drops the components that stand for an anonymous namespace: `_INTERNAL_00000000_4_n_cu__Z1zPi::`, as NVRTC writes it.
fn without_unit_names(name: &str) -> String {
    let name = name.replace("(anonymous namespace)::", "");
    if !name.contains("_INTERNAL_") && !name.contains("_GLOBAL__N_") {
        return name;
    }
    name.split("::")
        .filter(|part| !part.starts_with("_INTERNAL_") && !part.starts_with("_GLOBAL__N_"))
        .collect::<Vec<_>>()
        .join("::")
}

/// What follows the last `::` outside all brackets.
fn last_component(name: &str) -> &str {
    let mut depth = 0i32;
    let mut start = 0;
    let bytes = name.as_bytes();
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'<' | b'{' | b'[' => depth += 1,
            b')' | b'>' | b'}' | b']' => depth -= 1,
            b':' if depth == 0 && i > 0 && bytes[i - 1] == b':' => start = i + 1,
            _ => {}
        }
    }
    &name[start..]
}
