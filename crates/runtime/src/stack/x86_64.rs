//! Stack switching for x86-64 (System V ABI).

use std::arch::{asm, naked_asm};
use std::ffi::c_void;

/// The stack pointer of the caller, or slightly below.
#[inline(always)]
pub(crate) fn stack_pointer() -> usize {
    let value;
    // SAFETY: reads a register.
    unsafe { asm!("mov {}, rsp", out(reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

/// The processor's clock.
pub(crate) fn ticks() -> u64 {
    // SAFETY: reads a counter that every processor has.
    unsafe { std::arch::x86_64::_rdtsc() }
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
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rbp, rsp",
        "mov rsp, rsi",
        "mov rdi, rcx",
        "call rdx",
        "mov rsp, rbp",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// Returns from the [`switch`] that stored `saved`.
///
/// # Safety
/// The call must be active on this thread, and the frames above it may be abandoned.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn escape(saved: usize) -> ! {
    naked_asm!("mov rsp, rdi", "pop r15", "pop r14", "pop r13", "pop r12", "pop rbx", "pop rbp", "cld", "ret",)
}

/// Valgrind's VALGRIND_STACK_REGISTER request; without it, Valgrind reports the switch as a wild write to the stack
/// pointer.
pub(crate) fn tell_valgrind(low: usize, high: usize) {
    let request: [usize; 6] = [0x1501, low, high - 1, 0, 0, 0];
    // SAFETY: outside Valgrind the sequence has no effect.
    unsafe {
        asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") request.as_ptr(),
            inout("rdx") 0usize => _,
            inout("rdi") 0usize => _,
        );
    }
}
