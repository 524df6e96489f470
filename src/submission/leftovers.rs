//! Files that systems and editors leave behind: passed over without a word.

/// Whether a path (with `/` between its parts) holds nothing of the student's.
pub(super) fn is_leftover(path: &str) -> bool {
    path.split('/').any(is_leftover_part)
}

fn is_leftover_part(part: &str) -> bool {
    let lower = part.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "__macosx"
            | ".ds_store"
            | ".git"
            | ".svn"
            | ".hg"
            | ".gitignore"
            | ".gitattributes"
            | ".github"
            | ".idea"
            | ".vscode"
            | ".vs"
            | ".ipynb_checkpoints"
            | "__pycache__"
            | "thumbs.db"
            | "desktop.ini"
            | ".directory"
    ) || lower.starts_with("._")
        || lower.starts_with(".~lock.")
        || lower.starts_with(".nfs")
        || lower.ends_with('~')
        || (lower.starts_with('#') && lower.ends_with('#') && lower.len() > 1)
        || (lower.starts_with('.') && (lower.ends_with(".swp") || lower.ends_with(".swo")))
        || lower.ends_with(".bak")
        || lower.ends_with(".orig")
}

#[cfg(test)]
mod tests {
    use super::is_leftover;

    #[test]
    fn leftovers_are_known_and_work_is_not() {
        for left in
            ["__MACOSX/._a.cu", "x/.DS_Store", ".git/config", "a.cu~", ".a.cu.swp", "#a.cu#", "a.cu.orig"]
        {
            assert!(is_leftover(left), "{left}");
        }
        for work in ["a.cu", ".hidden/a.cu", "git/a.cu", "answers.toml", "orig.cu"] {
            assert!(!is_leftover(work), "{work}");
        }
    }
}
