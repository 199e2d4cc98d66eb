//! Stack switching for AArch64 (AAPCS64).

use std::arch::{asm, naked_asm};
use std::ffi::c_void;

/// The stack pointer of the caller, or slightly below.
#[inline(always)]
pub(crate) fn stack_pointer() -> usize {
    let value;
    // SAFETY: reads a register.
    unsafe { asm!("mov {}, sp", out(reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

/// The processor's clock.
pub(crate) fn ticks() -> u64 {
    let value;
    // SAFETY: reads a counter that Linux lets programs read.
    unsafe { asm!("mrs {}, cntvct_el0", out(reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

/// Pushes the callee-saved registers, stores their address in `saved`, and calls `f(argument)` with the stack pointer
/// at `top`.
///
/// # Safety
/// `top` must be 16-byte aligned and the end of a sufficiently large free stack; `f` must not unwind.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn switch(
    saved: *mut usize,
    top: usize,
    f: extern "C" fn(*mut c_void),
    argument: *mut c_void,
) {
    naked_asm!(
        "stp x29, x30, [sp, #-160]!",
        "stp x19, x20, [sp, #16]",
        "stp x21, x22, [sp, #32]",
        "stp x23, x24, [sp, #48]",
        "stp x25, x26, [sp, #64]",
        "stp x27, x28, [sp, #80]",
        "stp d8, d9, [sp, #96]",
        "stp d10, d11, [sp, #112]",
        "stp d12, d13, [sp, #128]",
        "stp d14, d15, [sp, #144]",
        "mov x9, sp",
        "str x9, [x0]",
        "mov x29, x9",
        "mov sp, x1",
        "mov x0, x3",
        "blr x2",
        "mov sp, x29",
        "ldp x19, x20, [sp, #16]",
        "ldp x21, x22, [sp, #32]",
        "ldp x23, x24, [sp, #48]",
        "ldp x25, x26, [sp, #64]",
        "ldp x27, x28, [sp, #80]",
        "ldp d8, d9, [sp, #96]",
        "ldp d10, d11, [sp, #112]",
        "ldp d12, d13, [sp, #128]",
        "ldp d14, d15, [sp, #144]",
        "ldp x29, x30, [sp], #160",
        "ret",
    )
}

/// Returns from the [`switch`] that stored `saved`.
///
/// # Safety
/// The call must be active on this thread, and the frames above it may be abandoned.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn escape(saved: usize) -> ! {
    naked_asm!(
        "mov sp, x0",
        "ldp x19, x20, [sp, #16]",
        "ldp x21, x22, [sp, #32]",
        "ldp x23, x24, [sp, #48]",
        "ldp x25, x26, [sp, #64]",
        "ldp x27, x28, [sp, #80]",
        "ldp d8, d9, [sp, #96]",
        "ldp d10, d11, [sp, #112]",
        "ldp d12, d13, [sp, #128]",
        "ldp d14, d15, [sp, #144]",
        "ldp x29, x30, [sp], #160",
        "ret",
    )
}

/// Does nothing: Valgrind detects the stack switch.
pub(crate) fn tell_valgrind(_low: usize, _high: usize) {}
