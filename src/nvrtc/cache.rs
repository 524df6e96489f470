//! The user's cache folder.

use std::path::PathBuf;

/// Where fetched wheels are kept: `$WARPGRADE_CACHE`, else `$XDG_CACHE_HOME/warpgrade`, else `~/.cache/warpgrade`
/// (`%LOCALAPPDATA%\warpgrade` on Windows). `None` where the user has no home.
pub fn cache_dir() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    if let Some(dir) = variable("WARPGRADE_CACHE") {
        return Some(dir);
    }
    if cfg!(windows) {
        return variable("LOCALAPPDATA").map(|dir| dir.join("warpgrade"));
    }
    // The XDG specification says to ignore relative values.
    let xdg = variable("XDG_CACHE_HOME").filter(|dir| dir.is_absolute());
    xdg.or_else(|| variable("HOME").map(|home| home.join(".cache"))).map(|dir| dir.join("warpgrade"))
}
