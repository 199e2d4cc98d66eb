//! Declarations of the C library's functions, so that this crate has no dependencies.
//!
//! The signal and stack parts support Linux on x86-64 and AArch64, where the layouts below hold; elsewhere programs
//! run on the caller's stack and faults end the process.

use std::ffi::{c_int, c_void};

unsafe extern "C" {
    #[link_name = "exit"]
    safe fn c_exit(code: c_int) -> !;
    safe fn atexit(callback: extern "C" fn()) -> c_int;
    fn posix_memalign(out: *mut *mut c_void, align: usize, size: usize) -> c_int;
    fn free(block: *mut c_void);
    fn write(fd: c_int, data: *const c_void, len: usize) -> isize;
}

/// Exits the process after running its `atexit` functions.
pub(crate) fn exit(code: i32) -> ! {
    c_exit(code)
}

/// Runs `callback` when the process exits or when the shared library that contains this code is unloaded.
pub(crate) fn at_exit(callback: extern "C" fn()) {
    // Fails only if memory is exhausted; then only unflushed output is lost.
    let _status = atexit(callback);
}

/// Allocates `size` bytes aligned to `align`, a power of two and a multiple of the pointer size.
///
/// Linux may use huge pages for large blocks: fewer page faults, and fewer TLB misses.
pub(crate) fn allocate(align: usize, size: usize) -> Option<*mut u8> {
    let is_large = cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))
        && size >= 2 * HUGE_PAGE;
    let align = if is_large { align.max(HUGE_PAGE) } else { align };
    let mut block = std::ptr::null_mut();
    // SAFETY: `block` is writable; an invalid alignment is reported, not undefined.
    let status = unsafe { posix_memalign(&raw mut block, align, size) };
    if status != 0 || block.is_null() {
        return None;
    }
    #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    if is_large {
        // SAFETY: the pages belong to the block, and the advice changes no contents. It is refused by kernels without huge pages.
        let _status = unsafe { linux::madvise(block, size / HUGE_PAGE * HUGE_PAGE, linux::MADV_HUGEPAGE) };
    }
    Some(block.cast())
}

/// The bytes of a huge page of x86-64 and AArch64.
const HUGE_PAGE: usize = 2 << 20;

/// Frees memory of [`allocate`].
///
/// # Safety
/// `block` must come from [`allocate`] and must not be used afterwards.
pub(crate) unsafe fn release(block: *mut u8) {
    // SAFETY: guaranteed by the caller.
    unsafe { free(block.cast()) }
}

/// Ignores the signal for a write beyond the limit of a file's size, so that the write fails instead.
pub fn ignore_file_size_signal() {
    #[cfg(target_os = "linux")]
    {
        const SIGXFSZ: c_int = 25;
        const SIG_IGN: usize = 1;
        unsafe extern "C" {
            safe fn signal(signal: c_int, handler: usize) -> usize;
        }
        // It fails only for a signal that does not exist.
        let _previous = signal(SIGXFSZ, SIG_IGN);
    }
}

/// Writes to a file descriptor as far as it goes. May be called in a signal handler.
pub(crate) fn write_fd(fd: i32, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: the range is readable.
        let written = unsafe { write(fd, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => bytes = &bytes[written.min(bytes.len())..],
            _ => return,
        }
    }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) mod linux {
    //! Linux's `mmap` and signal interfaces.

    use std::ffi::{c_int, c_void};

    pub(crate) const SIGILL: c_int = 4;
    pub(crate) const SIGBUS: c_int = 7;
    pub(crate) const SIGFPE: c_int = 8;
    pub(crate) const SIGSEGV: c_int = 11;
    pub(crate) const SA_SIGINFO: c_int = 4;
    pub(crate) const SA_ONSTACK: c_int = 0x0800_0000;
    pub(crate) const SA_NODEFER: c_int = 0x4000_0000;
    pub(crate) const SS_DISABLE: c_int = 2;
    pub(crate) const PROT_NONE: c_int = 0;
    pub(crate) const PROT_READ_WRITE: c_int = 3;
    /// Private, anonymous, without swap reservation, for a stack.
    pub(crate) const MAP_STACK: c_int = 0x2 | 0x20 | 0x4000 | 0x2_0000;
    pub(crate) const MADV_DONTNEED: c_int = 4;
    pub(crate) const MADV_HUGEPAGE: c_int = 14;

    /// `struct sigaction` of glibc and musl.
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub(crate) struct SigAction {
        pub(crate) handler: usize,
        pub(crate) mask: [u64; 16],
        pub(crate) flags: c_int,
        pub(crate) restorer: usize,
    }

    /// `siginfo_t`; only the fields that are read are named.
    #[repr(C)]
    pub(crate) struct SigInfo {
        pub(crate) signal: c_int,
        pub(crate) errno: c_int,
        pub(crate) code: c_int,
        pub(crate) address: *mut c_void,
        rest: [u64; 13],
    }

    /// `stack_t`.
    #[repr(C)]
    pub(crate) struct AltStack {
        pub(crate) base: *mut c_void,
        pub(crate) flags: c_int,
        pub(crate) size: usize,
    }

    unsafe extern "C" {
        pub(crate) fn mmap(
            address: *mut c_void,
            len: usize,
            protection: c_int,
            flags: c_int,
            fd: c_int,
            offset: i64,
        ) -> *mut c_void;
        pub(crate) fn munmap(address: *mut c_void, len: usize) -> c_int;
        pub(crate) fn mprotect(address: *mut c_void, len: usize, protection: c_int) -> c_int;
        pub(crate) fn madvise(address: *mut c_void, len: usize, advice: c_int) -> c_int;
        pub(crate) fn mincore(address: *mut c_void, len: usize, status: *mut u8) -> c_int;
        pub(crate) fn sigaction(signal: c_int, new: *const SigAction, old: *mut SigAction) -> c_int;
        pub(crate) fn sigaltstack(new: *const AltStack, old: *mut AltStack) -> c_int;
        #[link_name = "_exit"]
        pub(crate) safe fn exit_now(code: c_int) -> !;
    }
}
