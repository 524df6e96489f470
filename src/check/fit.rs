//! Whether a launch passes what its kernel takes: sizes in bytes, in order.

use crate::device::JobArgument;

/// Compares arguments with the parameters' `sizes` in bytes; `names` are the parameters', as far as known.
///
/// # Errors
/// A sentence that says which argument is wrong and what would fit.
pub fn arguments_fit(
    kernel: &str,
    arguments: &[JobArgument],
    sizes: &[u32],
    names: &[String],
) -> Result<(), String> {
    if arguments.len() != sizes.len() {
        let takes = match sizes.len() {
            0 => "no arguments".to_owned(),
            1 => "1 argument".to_owned(),
            n => format!("{n} arguments"),
        };
        let known = names.len() == sizes.len() && names.iter().all(|name| !name.is_empty());
        let names =
            if known && !names.is_empty() { format!(" ({})", names.join(", ")) } else { String::new() };
        return Err(format!(
            "`{kernel}` takes {takes}{names}, and {} were given; give an --arg (in a plan: an entry of args) for each",
            arguments.len()
        ));
    }
    for (position, (argument, &size)) in arguments.iter().zip(sizes).enumerate() {
        let bytes = argument.size();
        if bytes == size as usize {
            continue;
        }
        let name = names.get(position).filter(|name| !name.is_empty());
        let name = name.map_or_else(String::new, |name| format!(" (`{name}`)"));
        let what = match argument {
            JobArgument::Buffer(_) => "a buffer's address has",
            JobArgument::Bytes(_) => "the value has",
            JobArgument::Struct { .. } => "the structure has",
        };
        return Err(format!(
            "argument {} of `{kernel}`{name}: {what} {bytes} bytes, and the parameter has {size}; {}",
            position + 1,
            fitting(size)
        ));
    }
    Ok(())
}

/// What has that many bytes.
fn fitting(size: u32) -> &'static str {
    match size {
        1 => "i8, u8 and bool have 1",
        2 => "i16 and u16 have 2",
        4 => "i32, u32 and f32 have 4",
        8 => "i64, u64, f64 and a buffer's address have 8",
        _ => "vectors are written f32:1,2,3, other structures struct(i32:1; buf:f32:64)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_argument_is_told_with_what_would_fit() {
        let names = ["in".to_owned(), "n".to_owned()];
        let fit = |arguments: &[JobArgument]| arguments_fit("scale", arguments, &[8, 4], &names);
        let (buffer, int) = (JobArgument::Buffer(0), JobArgument::Bytes(vec![0; 4]));
        assert_eq!(fit(&[buffer.clone(), int.clone()]), Ok(()));
        let few = fit(std::slice::from_ref(&buffer)).unwrap_err();
        assert!(few.starts_with("`scale` takes 2 arguments (in, n), and 1 were given"), "{few}");
        let wide = fit(&[buffer, JobArgument::Bytes(vec![0; 8])]).unwrap_err();
        assert!(
            wide.contains("argument 2 of `scale` (`n`)") && wide.contains("i32, u32 and f32 have 4"),
            "{wide}"
        );
    }
}
