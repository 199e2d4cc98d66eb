//! Guarded calls return faults and leave the process usable.

use minoan_runtime::{
    Fault, StackLimit, call_guarded, capture, memrefCopy, minoan_alloc, minoan_assert_fail, minoan_call,
    minoan_cyclic_object, minoan_free, minoan_live_allocations, minoan_object, minoan_object_drop,
    minoan_parallel, minoan_print_i64, minoan_print_str, raise, run_on_big_stack, stack_remaining,
};
use std::ffi::c_void;
use std::hint::black_box;
use std::ptr::null_mut;
use std::sync::Mutex;

const LIMIT: StackLimit = StackLimit(16 << 20);

/// Serializes the tests that count allocations.
static COUNTING: Mutex<()> = Mutex::new(());

fn run(program: extern "C" fn(*mut c_void)) -> Result<(), Fault> {
    // SAFETY: the programs of this file hold nothing that needs dropping when they fault, and ignore their argument.
    unsafe { call_guarded(LIMIT, program, null_mut()) }
}

extern "C" fn failing_assert(_: *mut c_void) {
    let message = b"a.ks:3:5: Assert failed";
    // SAFETY: the message is readable.
    unsafe { minoan_assert_fail(message.as_ptr(), message.len() as i64) }
}

extern "C" fn endless(argument: *mut c_void) {
    let frame = black_box([argument as usize; 16]);
    if black_box(true) {
        endless(black_box(argument));
    }
    black_box(frame);
}

extern "C" fn divides(_: *mut c_void) {
    let zero: i64 = black_box(0);
    // SAFETY: none; the program is meant to trap.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        std::arch::asm!("cqo", "idiv {}", in(reg) zero, inout("rax") 1i64 => _, out("rdx") _);
    }
    raise(Fault::Division)
}

extern "C" fn nests(_: *mut c_void) {
    assert_eq!(run(divides), Err(Fault::Division));
    assert_eq!(run(endless), Err(Fault::StackOverflow(16 << 20)));
    raise(Fault::Unreachable)
}

extern "C" fn prints(_: *mut c_void) {
    assert!(stack_remaining().is_some_and(|left| left > 15 << 20));
    minoan_print_i64(-7);
}

#[test]
fn run_after_fault() {
    for _ in 0..3 {
        assert_eq!(run(failing_assert), Err(Fault::Assert("a.ks:3:5: Assert failed".into())));
        assert_eq!(run(divides), Err(Fault::Division));
        assert_eq!(run(endless), Err(Fault::StackOverflow(16 << 20)));
        assert_eq!(run(nests), Err(Fault::Unreachable));
        assert_eq!(capture(|| run(prints)), (Ok(()), b"-7".to_vec()));
    }
    assert_eq!(stack_remaining(), None);
}

#[test]
fn stack_per_thread() {
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                assert!(run(endless).is_err());
                assert!(capture(|| run(prints)).0.is_ok());
            })
        })
        .collect();
    for thread in threads {
        assert!(thread.join().is_ok());
    }
}

#[test]
fn overflow_message_names_stack_size() {
    assert_eq!(Fault::StackOverflow(16 << 20).to_string(), "recursion too deep (stack of 16 MiB exhausted)");
}

#[test]
fn panics_propagate_across_stack_switch() {
    let outcome =
        std::panic::catch_unwind(|| run_on_big_stack(LIMIT, || std::panic::resume_unwind(Box::new(5))));
    assert_eq!(outcome.err().and_then(|panic| panic.downcast_ref::<i32>().copied()), Some(5));
    assert_eq!(run_on_big_stack(LIMIT, || 6), Ok(6));
}

#[test]
fn allocation_alignment_statistics_and_reuse() {
    let _turn = COUNTING.lock();
    let before = minoan_live_allocations();
    for (size, align) in [(0, 1), (1, 8), (100, 64), (5 << 20, 4096), (5 << 20, 64)] {
        let block = minoan_alloc(size, align);
        assert_eq!(block as usize % align.max(64) as usize, 0);
        assert_eq!(minoan_live_allocations(), before + 1);
        // SAFETY: the block has `size` bytes and is freed once.
        unsafe {
            block.cast::<u8>().write_bytes(0xab, size as usize);
            minoan_free(block);
        }
    }
    // A prime size that no other test allocates.
    let first = minoan_alloc(7_340_033, 64);
    // SAFETY: freed once each.
    unsafe {
        minoan_free(first);
        let second = minoan_alloc(7_340_033, 64);
        assert_eq!(first, second);
        minoan_free(second);
    }
    assert_eq!(minoan_live_allocations(), before);
}

extern "C" fn requests_too_much_memory(_: *mut c_void) {
    minoan_alloc(i64::MAX, 64);
}

extern "C" fn frees_twice(_: *mut c_void) {
    // Large, so that the freed block stays in the cache and remains readable.
    let block = minoan_alloc(3 << 20, 64);
    // SAFETY: none; the program is meant to fault.
    unsafe {
        minoan_free(block);
        minoan_free(block);
    }
}

#[test]
fn invalid_allocations_are_faults() {
    let _turn = COUNTING.lock();
    assert_eq!(
        run(requests_too_much_memory),
        Err(Fault::OutOfMemory { bytes: i64::MAX as u64, place: None })
    );
    assert_eq!(run(frees_twice), Err(Fault::BadFree { place: None }));
}

/// Allocates 96 bytes, writes one more, and frees the block if the flag that the argument points to is set.
#[cfg(debug_assertions)]
extern "C" fn writes_beyond_the_end(frees: *mut c_void) {
    let block = minoan_alloc(96, 64);
    // SAFETY: the guard of a debug build has room for the byte; the block is freed once.
    unsafe {
        block.cast::<u8>().add(96).write(1);
        if frees.cast::<bool>().read() {
            minoan_free(block);
        }
    }
}

#[cfg(debug_assertions)]
#[test]
fn writes_beyond_the_end_are_found() {
    let _turn = COUNTING.lock();
    let run = |mut frees: bool| {
        // SAFETY: the program holds nothing that needs dropping, and reads a flag.
        unsafe { call_guarded(LIMIT, writes_beyond_the_end, (&raw mut frees).cast()) }
    };
    assert_eq!(run(true), Err(Fault::Overrun));
    assert_eq!((run(false), minoan_runtime::overrun_blocks()), (Ok(()), vec![96]));
    assert!(minoan_runtime::overrun_blocks().is_empty(), "it was reported");
}

#[test]
fn standalone_program() {
    if std::env::var_os("MINOAN_TEST_CHILD").is_some() {
        extern "C" fn program(_: *mut c_void) {
            // SAFETY: the bytes are readable.
            unsafe { minoan_print_str(b"before".as_ptr(), 6) };
            failing_assert(null_mut());
        }
        // SAFETY: the program ignores its argument.
        unsafe { minoan_call(program, null_mut()) };
    }
    let child = std::env::current_exe().map(|exe| {
        std::process::Command::new(exe)
            .args(["standalone_program", "--exact", "--nocapture"])
            .env("MINOAN_TEST_CHILD", "1")
            .output()
    });
    let output = child.and_then(|output| output).expect("the test can start itself");
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stdout.ends_with(b"before"));
    assert_eq!(output.stderr, b"a.ks:3:5: Assert failed\n");
}

extern "C" fn leaves_blocks(_: *mut c_void) {
    let kept = minoan_alloc(100, 64);
    minoan_alloc(3 << 20, 64);
    // SAFETY: the block is freed once.
    unsafe { minoan_free(minoan_alloc(10, 64)) };
    assert!(!kept.is_null());
    raise(Fault::Division)
}

extern "C" fn leaves_blocks_in_a_loop(_: *mut c_void) {
    unsafe extern "C" fn chunk(lower: i64, _: i64, _: *mut c_void) {
        minoan_alloc(1000 + lower, 64);
        if lower == 5 {
            raise(Fault::Division)
        }
    }
    minoan_alloc(100, 64);
    // SAFETY: the chunks own no values with destructors.
    unsafe { minoan_runtime::minoan_parallel(chunk, std::ptr::null_mut(), 64, 1) };
}

#[test]
fn a_fault_frees_the_blocks_of_its_run() {
    let _turn = COUNTING.lock();
    let outside = minoan_alloc(64, 64);
    let before = minoan_live_allocations();
    for program in [leaves_blocks, leaves_blocks_in_a_loop] {
        assert_eq!(run(program), Err(Fault::Division));
        assert_eq!(minoan_live_allocations(), before);
    }
    // SAFETY: the block was allocated before the runs.
    unsafe { minoan_free(outside) };
}

#[test]
fn checking_mode_reports_the_places_of_blocks() {
    extern "C" fn leaks(_: *mut c_void) {
        for _ in 0..3 {
            // SAFETY: the place is a C string.
            unsafe { minoan_runtime::minoan_alloc_at(40, 64, c"a.relay:2:3".as_ptr()) };
        }
        // SAFETY: as above; the block is freed once.
        unsafe { minoan_free(minoan_runtime::minoan_alloc_at(8, 64, c"a.relay:9:1".as_ptr())) };
    }
    extern "C" fn frees_twice(_: *mut c_void) {
        // SAFETY: none; the program is meant to fault.
        unsafe {
            let block = minoan_runtime::minoan_alloc_at(8, 64, c"a.relay:4:5".as_ptr());
            minoan_free(block);
            minoan_free(block);
        }
    }
    let _turn = COUNTING.lock();
    minoan_runtime::set_memory_check(true);
    assert_eq!(run(leaks), Ok(()));
    let report = minoan_runtime::memory_report();
    assert!(report.to_string().starts_with("blocks allocated: 4, of 128 bytes; blocks left: "), "{report}");
    let at: Vec<(u64, u64)> = report
        .live
        .iter()
        .filter(|at| at.place.as_deref() == Some("a.relay:2:3"))
        .map(|at| (at.count, at.bytes))
        .collect();
    assert_eq!(at, [(3, 120)]);
    let message = "a.relay:4:5: double free of memory allocated here";
    assert_eq!(run(frees_twice).map_err(|fault| fault.to_string()), Err(message.to_owned()));
    minoan_runtime::set_memory_check(false);
}

/// Recurses until little is left of the stack, then calls a function.
#[inline(never)]
fn call_at_the_end(function: &dyn Fn()) {
    let frame = black_box([0u8; 4096]);
    if stack_remaining().is_some_and(|left| left < 64 << 10) {
        return function();
    }
    call_at_the_end(function);
    black_box(frame);
}

extern "C" fn at_the_end(function: *mut c_void) {
    // SAFETY: the test passes the address of a function.
    call_at_the_end(unsafe { *function.cast::<&dyn Fn()>() });
}

/// Deep recursion used to reach the guard inside of `malloc`, whose lock then stayed taken.
#[test]
fn functions_that_allocate_check_the_stack_first() {
    /// More objects than are created before the first collection.
    const MANY: usize = 1 << 17;
    extern "C" fn body(_: i64, _: i64, _: *mut c_void) {}
    // SAFETY: nothing is read before the fault.
    let copy = || unsafe { memrefCopy(4, std::ptr::null(), std::ptr::null()) };
    // SAFETY: the body may be called with any argument.
    let parallel = || unsafe { minoan_parallel(body, null_mut(), 100, 1) };
    // The memory of dropped objects is reused while one object lives, so that nothing but the collector checks the stack.
    let objects: Vec<*mut c_void> = (0..=MANY).map(|_| minoan_object(1, 0, 0)).collect();
    // SAFETY: the objects are live, and have one owner each.
    objects[1..].iter().for_each(|&object| unsafe { minoan_object_drop(object) });
    let collect = || (0..MANY).for_each(|_| _ = minoan_cyclic_object(1, 0, 0));
    let allocate = || _ = minoan_alloc(8, 8);
    for mut function in [&copy as &dyn Fn(), &parallel, &collect, &allocate] {
        // SAFETY: no frame owns a value with a destructor.
        let result = unsafe { call_guarded(LIMIT, at_the_end, (&raw mut function).cast()) };
        assert_eq!(result, Err(Fault::StackOverflow(16 << 20)));
    }
}
