//! The calls into the CUDA driver: cudarc's bindings, and everything unsafe about them.

use std::rc::Rc;

use cudarc::driver::{result, sys};

/// A device attribute of the driver's list.
pub(super) use sys::CUdevice_attribute as Attribute;

/// Whether libcuda can be opened. cudarc panics when it is missing, so it is asked first.
pub(super) fn is_present() -> bool {
    // SAFETY: only opens the library by cudarc's list of names.
    unsafe { sys::is_culib_present() }
}

/// Initialises the driver; must succeed before any other call here. Fails with a reason in words.
pub(super) fn init() -> Result<(), String> {
    if !is_present() {
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

/// A call that failed, with the driver's code.
#[derive(Debug, Clone)]
pub(super) struct DriverFault {
    pub code: sys::CUresult,
    pub words: String,
}

impl From<result::DriverError> for DriverFault {
    fn from(error: result::DriverError) -> Self {
        DriverFault { code: error.0, words: words(error) }
    }
}

type Driven<T> = Result<T, DriverFault>;

/// Makes a card's primary context the calling thread's, for the rest of the process.
pub(super) fn open(ordinal: i32) -> Driven<()> {
    let device = result::device::get(ordinal)?;
    // SAFETY: the device is the driver's own; the context is never released, so it outlives all that is made in it.
    unsafe { result::ctx::set_current(result::primary_ctx::retain(device)?)? };
    Ok(())
}

/// Waits until everything asked for is done; its faults are reported here.
pub(super) fn synchronize() -> Driven<()> {
    Ok(result::ctx::synchronize()?)
}

/// Memory on the card.
#[derive(Debug)]
pub(super) struct DeviceBuffer {
    address: sys::CUdeviceptr,
    bytes: usize,
}

impl DeviceBuffer {
    /// At least one byte, so that every buffer has an address.
    pub fn allocate(bytes: usize) -> Driven<DeviceBuffer> {
        // SAFETY: a context is current; the address is freed once, on drop.
        let address = unsafe { result::malloc_sync(bytes.max(1)) }?;
        Ok(DeviceBuffer { address, bytes })
    }

    pub fn address(&self) -> u64 {
        self.address
    }

    /// Copies from the host; `source` may be used again at once.
    pub fn upload(&self, source: &[u8]) -> Driven<()> {
        assert_eq!(source.len(), self.bytes, "a buffer is filled whole");
        // SAFETY: the allocation has exactly this many bytes.
        Ok(unsafe { result::memcpy_htod_sync(self.address, source) }?)
    }

    /// Copies from pinned memory, in order with launches.
    pub fn upload_later(&self, source: &Pinned) -> Driven<()> {
        assert_eq!(source.bytes, self.bytes, "a buffer is filled whole");
        // SAFETY: both have this many bytes; callers keep `source` until they have synchronised.
        unsafe {
            sys::cuMemcpyHtoDAsync_v2(self.address, source.start.cast(), self.bytes, std::ptr::null_mut())
        }
        .result()?;
        Ok(())
    }

    /// Fills whole words, in order with launches.
    pub fn fill_later(&self, word: u32) -> Driven<()> {
        // SAFETY: the words lie within the allocation.
        unsafe { sys::cuMemsetD32Async(self.address, word, self.bytes / 4, std::ptr::null_mut()) }
            .result()?;
        Ok(())
    }

    pub fn download(&self) -> Driven<Vec<u8>> {
        let mut bytes = vec![0u8; self.bytes];
        // SAFETY: the vector has exactly the allocation's size.
        unsafe { result::memcpy_dtoh_sync(&mut bytes, self.address) }?;
        Ok(bytes)
    }

    /// Copies the whole buffer to `offset` of pinned memory, in order with launches.
    pub fn download_later(&self, target: &Pinned, offset: usize) -> Driven<()> {
        assert!(offset + self.bytes <= target.bytes, "the copy fits its target");
        // SAFETY: the range lies within `target`, as just checked; callers keep it until they have synchronised.
        unsafe {
            sys::cuMemcpyDtoHAsync_v2(
                target.start.add(offset).cast(),
                self.address,
                self.bytes,
                std::ptr::null_mut(),
            )
        }
        .result()?;
        Ok(())
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        // SAFETY: allocated here and freed once. After a fault the context is gone and the memory with it.
        let _ = unsafe { result::free_sync(self.address) };
    }
}

/// Host memory that the card copies to and from on its own.
#[derive(Debug)]
pub(super) struct Pinned {
    start: *mut u8,
    bytes: usize,
}

impl Pinned {
    /// Zeroed.
    pub fn allocate(bytes: usize) -> Driven<Pinned> {
        // SAFETY: a context is current; freed once, on drop.
        let start = unsafe { result::malloc_host(bytes.max(1), 0) }?.cast::<u8>();
        // SAFETY: the allocation has at least this many bytes.
        unsafe { start.write_bytes(0, bytes.max(1)) };
        Ok(Pinned { start, bytes })
    }

    pub fn holding(source: &[u8]) -> Driven<Pinned> {
        let mut pinned = Pinned::allocate(source.len())?;
        pinned.bytes_mut().copy_from_slice(source);
        Ok(pinned)
    }

    /// Only after synchronising, when nothing is being copied.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the allocation has this many initialised bytes.
        unsafe { std::slice::from_raw_parts(self.start, self.bytes) }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `bytes`, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.bytes) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: allocated here and freed once; the driver waits for copies under way.
        let _ = unsafe { result::free_host(self.start.cast()) };
    }
}

/// A program on the card.
#[derive(Debug)]
pub(super) struct Module(sys::CUmodule);

impl Module {
    /// `image` is a CUBIN, or PTX that ends in a zero byte.
    pub fn load(image: &[u8]) -> Driven<Module> {
        // SAFETY: a CUBIN states its own length, and PTX ends in a zero.
        Ok(Module(unsafe { result::module::load_data(image.as_ptr().cast()) }?))
    }

    /// A variable in global memory, with its bytes as they are now; `None` when the driver does not name it.
    pub fn variable(self: &Rc<Self>, name: &str) -> Driven<Option<Variable>> {
        let Ok(name) = std::ffi::CString::new(name) else { return Ok(None) };
        // SAFETY: the module is loaded.
        let Ok((address, size)) = (unsafe { result::module::get_global(self.0, name) }) else {
            return Ok(None);
        };
        let mut start = Pinned::allocate(size)?;
        // SAFETY: the variable has `size` bytes, and so has the pinned memory.
        unsafe { result::memcpy_dtoh_sync(start.bytes_mut(), address) }?;
        Ok(Some(Variable { address, start, _module: Rc::clone(self) }))
    }

    /// `None` when the program has no such kernel.
    pub fn kernel(&self, name: &str) -> Option<Kernel<'_>> {
        let name = std::ffi::CString::new(name).ok()?;
        // SAFETY: the module is loaded.
        let function = unsafe { result::module::get_function(self.0, name) }.ok()?;
        Some(Kernel { function, _module: self })
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: loaded here and unloaded once; kernels borrow it.
        let _ = unsafe { result::module::unload(self.0) };
    }
}

/// A program's variable in global memory.
#[derive(Debug)]
pub(super) struct Variable {
    address: sys::CUdeviceptr,
    /// What it held when it was found.
    start: Pinned,
    _module: Rc<Module>,
}

impl Variable {
    /// Puts back what it held when it was found, in order with launches.
    pub fn restore_later(&self) -> Driven<()> {
        // SAFETY: the variable lives as long as its module, which is held, and has exactly these bytes.
        unsafe {
            sys::cuMemcpyHtoDAsync_v2(
                self.address,
                self.start.start.cast(),
                self.start.bytes,
                std::ptr::null_mut(),
            )
        }
        .result()?;
        Ok(())
    }
}

/// A kernel of a loaded program.
#[derive(Debug)]
pub(super) struct Kernel<'m> {
    function: sys::CUfunction,
    _module: &'m Module,
}

/// The most parameters a kernel has: 32,764 bytes of them, eight bytes each.
const MOST_PARAMETERS: usize = 4096;
/// Bytes behind each argument that the driver may read: a parameter that is larger than was thought reads zeroes.
const ROOM: usize = 4096;

impl Kernel<'_> {
    fn attribute(&self, which: sys::CUfunction_attribute) -> Driven<i32> {
        // SAFETY: the function belongs to a loaded module.
        Ok(unsafe { result::function::get_function_attribute(self.function, which) }?)
    }

    /// Bytes of shared memory that its variables take.
    pub fn static_shared(&self) -> Driven<u32> {
        self.attribute(sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
            .map(|bytes| bytes as u32)
    }

    /// Threads a block may have, with the registers that the kernel takes.
    pub fn most_threads(&self) -> Driven<u32> {
        self.attribute(sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK).map(|n| n as u32)
    }

    /// Allows more dynamic shared memory than the 48 KiB that need no asking.
    pub fn allow_shared(&self, bytes: u32) -> Driven<()> {
        let which = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function belongs to a loaded module.
        Ok(unsafe { result::function::set_function_attribute(self.function, which, bytes as i32) }?)
    }

    /// Launches, in order with copies. `arguments` are the parameters' bytes; addresses among them must be those of
    /// buffers that live until the next synchronisation. What the kernel does with them is its own affair: that is why
    /// this process is a worker.
    pub fn launch(&self, grid: [u32; 3], block: [u32; 3], shared: u32, arguments: &[Vec<u8>]) -> Driven<()> {
        let mut room: Vec<Vec<u64>> = arguments
            .iter()
            .map(|bytes| {
                let mut words = vec![0u64; bytes.len().max(ROOM).div_ceil(8)];
                for (word, chunk) in words.iter_mut().zip(bytes.chunks(8)) {
                    let mut whole = [0; 8];
                    whole[..chunk.len()].copy_from_slice(chunk);
                    *word = u64::from_le_bytes(whole);
                }
                words
            })
            .collect();
        let mut nothing = vec![0u64; ROOM / 8];
        let mut parameters: Vec<*mut std::ffi::c_void> =
            room.iter_mut().map(|w| w.as_mut_ptr().cast()).collect();
        // A kernel with more parameters than arguments reads zeroes, not our stack.
        parameters.resize(parameters.len().max(MOST_PARAMETERS), nothing.as_mut_ptr().cast());
        // SAFETY: the function is loaded; every parameter's pointer is to at least as many bytes as a parameter has,
        // and the driver copies them before it returns. The default stream keeps the order.
        unsafe {
            result::launch_kernel(
                self.function,
                grid.into(),
                block.into(),
                shared,
                std::ptr::null_mut(),
                &mut parameters,
            )
        }?;
        Ok(())
    }
}

/// Lets what kernels print go to `file` instead of the process's stdout.
#[cfg(unix)]
pub(super) fn redirect_stdout(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::fd::AsRawFd;
    // SAFETY: both descriptors are open; the worker's stdout belongs to nobody else.
    if unsafe { libc::dup2(file.as_raw_fd(), 1) } < 0 { Err(std::io::Error::last_os_error()) } else { Ok(()) }
}

/// Writes out what the C library, through which the driver prints, has buffered.
#[cfg(unix)]
pub(super) fn flush_stdout() {
    // SAFETY: a null stream means all output streams.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

#[cfg(not(unix))]
pub(super) fn redirect_stdout(_file: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn flush_stdout() {}
