//! The calls into the CUDA driver: cudarc's bindings, and everything unsafe about them.

use cudarc::driver::{result, sys};

/// A device attribute of the driver's list.
pub(super) use sys::CUdevice_attribute as Attribute;

/// Initialises the driver; must succeed before any other call here. Fails with a reason in words.
pub(super) fn init() -> Result<(), String> {
    // cudarc panics when the library is missing, so it is asked first.
    // SAFETY: only opens the library by cudarc's list of names.
    if !unsafe { sys::is_culib_present() } {
        return Err("no NVIDIA driver was found (libcuda is missing)".to_owned());
    }
    result::init().map_err(|error| match error.0 {
        sys::CUresult::CUDA_ERROR_NO_DEVICE => "the NVIDIA driver finds no GPU".to_owned(),
        sys::CUresult::CUDA_ERROR_STUB_LIBRARY => "libcuda is only a stub: no driver is installed".to_owned(),
        _ => format!("the NVIDIA driver does not start: {}", words(error)),
    })
}

/// `CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered`.
pub(super) fn words(error: result::DriverError) -> String {
    let name = error.error_name().map(|text| text.to_string_lossy().into_owned());
    let text = error.error_string().map(|text| text.to_string_lossy().into_owned());
    match (name, text) {
        (Ok(name), Ok(text)) => format!("{name}: {text}"),
        _ => format!("error {}", error.0 as u32),
    }
}

/// The newest CUDA version that the driver supports: `(13, 0)`.
pub(super) fn version() -> Result<(i32, i32), String> {
    let mut version = 0;
    // SAFETY: the pointer is to a live integer.
    unsafe { sys::cuDriverGetVersion(&mut version) }.result().map_err(words)?;
    Ok((version / 1000, version % 1000 / 10))
}

pub(super) fn device_count() -> Result<i32, String> {
    result::device::get_count().map_err(words)
}

/// A card, by its number.
pub(super) fn device(ordinal: i32) -> Result<sys::CUdevice, String> {
    result::device::get(ordinal).map_err(words)
}

pub(super) fn device_name(device: sys::CUdevice) -> Result<String, String> {
    result::device::get_name(device).map_err(words)
}

pub(super) fn attribute(device: sys::CUdevice, attribute: Attribute) -> Result<i32, String> {
    // SAFETY: the device came from `device`.
    unsafe { result::device::get_attribute(device, attribute) }.map_err(words)
}

/// Bytes of the card's memory.
pub(super) fn total_memory(device: sys::CUdevice) -> Result<u64, String> {
    // SAFETY: the device came from `device`.
    unsafe { result::device::total_mem(device) }.map(|bytes| bytes as u64).map_err(words)
}
