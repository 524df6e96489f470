//! The calls into NVRTC: cudarc's bindings, and everything unsafe about them.
//!
//! cudarc opens the library by name at the first call and panics when there is none, so the library is opened here
//! first, by its full path: the loader then gives cudarc the one that is already there.

use std::ffi::{CStr, CString, c_char, c_int};
use std::path::Path;
use std::ptr;

use cudarc::nvrtc::{result, sys};

/// The oldest major version that is used: earlier ones lack C++17, or CUBIN for today's cards.
const OLDEST: i32 = 12;

/// Opens the library and gives its version, or says why not. Once one is open in a process, it stays the one that
/// is used: opening another gives the first one's version.
pub(super) fn open(library: &Path) -> Result<(i32, i32), String> {
    // SAFETY: loading NVRTC runs its initialisers, which have no preconditions.
    let handle = unsafe { libloading::Library::new(library) }.map_err(|error| short(&error.to_string()))?;
    let ours = version_in(&handle)?;
    if ours.0 < OLDEST {
        return Err(format!("version {}.{} is too old: {OLDEST}.0 or later is needed", ours.0, ours.1));
    }
    // Never closed: NVRTC keeps threads and thread-local state, and cudarc keeps its own handle for good.
    std::mem::forget(handle);
    // SAFETY: only opens libraries by cudarc's list of names.
    if !unsafe { sys::is_culib_present() } {
        return Err("it was opened, but does not answer to any name that cudarc knows".to_owned());
    }
    // SAFETY: a library is present, so this does not panic; the reference lives as long as the process.
    let version = version_in(unsafe { sys::culib() })?;
    if version.0 < OLDEST {
        return Err(format!("the loader prefers version {}.{}, which is too old", version.0, version.1));
    }
    Ok(version)
}

/// The loader's message without the path, which the caller names.
fn short(message: &str) -> String {
    message.rsplit(": ").next().unwrap_or(message).to_owned()
}

fn version_in(library: &libloading::Library) -> Result<(i32, i32), String> {
    type Version = unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int;
    // SAFETY: the type is that of `nvrtcVersion` in nvrtc.h.
    let version = unsafe { library.get::<Version>(b"nvrtcVersion") }
        .map_err(|_| "it is not NVRTC: it has no nvrtcVersion".to_owned())?;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both pointers are to live integers.
    match unsafe { version(&mut major, &mut minor) } {
        0 => Ok((major, minor)),
        code => Err(format!("nvrtcVersion failed with {code}")),
    }
}

/// Why a compile has no answer.
pub(super) enum Failure {
    Memory,
    /// NVRTC's own word for it.
    Other(String),
}

/// A program in NVRTC's hands; destroyed when dropped.
pub(super) struct Program {
    handle: sys::nvrtcProgram,
    // NVRTC may keep pointers to these until the program is destroyed.
    _source: CString,
    _name: CString,
    _headers: Vec<(CString, CString)>,
    names: Vec<CString>,
}

impl Program {
    /// Requires that [`open`] has succeeded in this process. Fails with NVRTC's word for what went wrong.
    pub fn new(
        source: CString,
        name: CString,
        headers: Vec<(CString, CString)>,
        names: Vec<CString>,
    ) -> Result<Program, String> {
        let header_names: Vec<*const c_char> = headers.iter().map(|(name, _)| name.as_ptr()).collect();
        let header_texts: Vec<*const c_char> = headers.iter().map(|(_, text)| text.as_ptr()).collect();
        let mut handle = ptr::null_mut();
        // SAFETY: all strings are nul-terminated and outlive the program, which owns them; the two arrays have
        // `headers.len()` elements, and NVRTC copies what it needs of the arrays themselves.
        unsafe {
            sys::nvrtcCreateProgram(
                &mut handle,
                source.as_ptr(),
                name.as_ptr(),
                headers.len() as c_int,
                header_texts.as_ptr(),
                header_names.as_ptr(),
            )
        }
        .result()
        .map_err(|error| error.to_string())?;
        let program = Program { handle, _source: source, _name: name, _headers: headers, names };
        for name in &program.names {
            // SAFETY: the program is alive and not compiled yet.
            unsafe { sys::nvrtcAddNameExpression(program.handle, name.as_ptr()) }
                .result()
                .map_err(|error| error.to_string())?;
        }
        Ok(program)
    }

    /// `Ok(false)` when the source does not compile: the log says why.
    pub fn compile(&self, options: &[String]) -> Result<bool, Failure> {
        // SAFETY: the program is alive; cudarc makes the options into C strings, and none holds a nul byte because
        // none of them comes from a student.
        match unsafe { result::compile_program(self.handle, options) } {
            Ok(()) => Ok(true),
            Err(error) if error.0 == sys::nvrtcResult::NVRTC_ERROR_COMPILATION => Ok(false),
            Err(error)
                if error.0 == sys::nvrtcResult::NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID
                    && !self.names.is_empty() =>
            {
                Ok(false)
            }
            Err(error) if error.0 == sys::nvrtcResult::NVRTC_ERROR_OUT_OF_MEMORY => Err(Failure::Memory),
            Err(error) => Err(Failure::Other(error.to_string())),
        }
    }

    pub fn log(&self) -> String {
        // SAFETY: the program is alive.
        let log = unsafe { result::get_program_log(self.handle) }.unwrap_or_default();
        text_of(&log)
    }

    pub fn ptx(&self) -> Result<String, String> {
        // SAFETY: the program is alive and has been compiled.
        unsafe { result::get_ptx(self.handle) }.map(|ptx| text_of(&ptx)).map_err(|error| error.to_string())
    }

    pub fn cubin(&self) -> Result<Vec<u8>, String> {
        let mut bytes = 0usize;
        // SAFETY: the program is alive and has been compiled; `bytes` is a live integer.
        unsafe { sys::nvrtcGetCUBINSize(self.handle, &mut bytes) }
            .result()
            .map_err(|error| error.to_string())?;
        let mut cubin = vec![0u8; bytes];
        // SAFETY: the buffer has the size that NVRTC has just asked for.
        unsafe { sys::nvrtcGetCUBIN(self.handle, cubin.as_mut_ptr().cast()) }
            .result()
            .map_err(|error| error.to_string())?;
        Ok(cubin)
    }

    /// The PTX name of a C++ name that was given to [`Program::new`].
    pub fn lowered(&self, index: usize) -> Option<String> {
        let mut lowered = ptr::null();
        // SAFETY: the program is alive and compiled, and the name is the very one that was registered.
        unsafe { sys::nvrtcGetLoweredName(self.handle, self.names[index].as_ptr(), &mut lowered) }
            .result()
            .ok()?;
        // SAFETY: on success NVRTC gives a nul-terminated string that lives as long as the program.
        Some(unsafe { CStr::from_ptr(lowered) }.to_string_lossy().into_owned())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program was created here and is destroyed once. Nothing is left to do if that fails.
        let _ = unsafe { result::destroy_program(self.handle) };
    }
}

fn text_of(bytes: &[c_char]) -> String {
    let bytes: Vec<u8> = bytes.iter().map(|b| *b as u8).take_while(|b| *b != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
