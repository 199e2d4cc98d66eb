//! Tests of counted objects.

use super::*;
use crate::{StackLimit, call_guarded};

/// Creates a cell of these objects and numbers.
fn cell(tag: i64, objects: &[*mut c_void], numbers: &[u64]) -> *mut c_void {
    let made = minoan_object((objects.len() + numbers.len()) as i64, objects.len() as i64, tag);
    for (index, &object) in objects.iter().enumerate() {
        // SAFETY: the slot belongs to the new object.
        unsafe { made.cast::<*mut c_void>().add(1 + index).write(object) };
    }
    for (index, &number) in numbers.iter().enumerate() {
        // SAFETY: the slot belongs to the new object.
        unsafe { made.cast::<u64>().add(1 + objects.len() + index).write(number) };
    }
    made
}

fn list(length: u64) -> *mut c_void {
    (0..length).fold(immediate(1) as *mut c_void, |rest, at| cell(0, &[rest], &[at]))
}

fn drop_object(object: *mut c_void) {
    // SAFETY: the tests own the objects that they drop, and nothing else refers to them.
    unsafe { minoan_object_drop(object) };
}

fn dup_object(object: *mut c_void) {
    // SAFETY: the tests dup live objects.
    unsafe { minoan_object_dup(object) };
}

#[test]
fn a_list_of_a_million_cells_is_freed_without_recursion() {
    let before = live_objects();
    let list = list(1_000_000);
    assert_eq!(live_objects() - before, 1_000_000);
    drop_object(list);
    assert_eq!(live_objects(), before);
}

#[test]
fn a_left_deep_and_a_right_deep_tree_are_freed() {
    let before = live_objects();
    for left in [true, false] {
        let leaf = immediate(0) as *mut c_void;
        let tree = (0..100_000).fold(leaf, |tree, _| {
            if left { cell(1, &[tree, leaf], &[]) } else { cell(1, &[leaf, tree], &[]) }
        });
        drop_object(tree);
    }
    assert_eq!(live_objects(), before);
}

#[test]
fn a_shared_object_lives_as_long_as_its_last_owner() {
    let before = live_objects();
    let shared = list(10);
    dup_object(shared);
    let (a, b) = (cell(0, &[shared], &[1]), cell(0, &[shared], &[2]));
    drop_object(a);
    assert_eq!(live_objects() - before, 11);
    // SAFETY: the second list still owns the object.
    assert_eq!(unsafe { minoan_object_tag(shared) }, 0);
    drop_object(b);
    assert_eq!(live_objects(), before);
}

#[test]
fn freed_memory_is_used_again_for_objects_of_the_size() {
    let first = cell(3, &[], &[1, 2]);
    drop_object(first);
    let second = cell(4, &[], &[5]);
    let third = cell(4, &[], &[5, 6]);
    assert_eq!(third, first, "an object of another size has not taken its place");
    drop_object(second);
    drop_object(third);
}

#[test]
fn objects_of_all_sizes_and_raw_ones_are_freed() {
    let before = live_objects();
    let objects: Vec<*mut c_void> = (0..=MAX_SLOTS as i64).map(|slots| minoan_object(slots, 0, 7)).collect();
    assert!(objects.iter().all(|object| (*object as usize).is_multiple_of(WORD)));
    objects.into_iter().for_each(drop_object);
    drop_object(minoan_raw_object(100_000));
    assert_eq!(live_objects(), before);
}

#[test]
fn accesses_from_rust_are_checked() {
    let before = live_objects();
    let boxed = ObjectRef::raw(&[1, 2, 3]);
    let pair = ObjectRef::cell(2, vec![boxed.clone(), ObjectRef::immediate(4)], &[9]);
    drop(boxed);
    assert_eq!(pair.object(0).and_then(|boxed| boxed.bytes().map(<[u8]>::to_vec)), Some(vec![1, 2, 3]));
    assert_eq!((pair.tag(), pair.object(1).map(|it| it.tag())), (2, Some(4)));
    assert_eq!((pair.word(1), pair.word(2), pair.word(3)), (None, Some(9), None));
    assert!(pair.object(2).is_none() && pair.bytes().is_none());
    drop(pair);
    assert_eq!(live_objects(), before);
}

#[test]
fn null_and_immediates_are_no_objects() {
    for value in [0, immediate(0), immediate(u16::MAX)] {
        dup_object(value as *mut c_void);
        drop_object(value as *mut c_void);
    }
    // SAFETY: an immediate.
    assert_eq!(unsafe { minoan_object_tag(immediate(300) as *mut c_void) }, 300);
}

#[test]
fn a_double_drop_is_a_fault() {
    extern "C" fn twice(_: *mut c_void) {
        let object = cell(0, &[], &[1]);
        drop_object(object);
        drop_object(object);
    }
    // SAFETY: the function takes no argument, and no frame of it needs dropping.
    let result = unsafe { call_guarded(StackLimit(1 << 20), twice, ptr::null_mut()) };
    assert_eq!(result.err(), Some(Fault::BadFree { place: None }));
}

#[test]
fn an_object_in_two_slots_with_one_owner_is_a_fault() {
    extern "C" fn shared(_: *mut c_void) {
        let part = cell(0, &[], &[1]);
        drop_object(cell(0, &[part, part], &[]));
    }
    // SAFETY: the function takes no argument, and no frame of it needs dropping.
    let result = unsafe { call_guarded(StackLimit(1 << 20), shared, ptr::null_mut()) };
    assert_eq!(result.err(), Some(Fault::BadFree { place: None }));
}

/// Calls a program that ends with a fault.
fn fail(program: extern "C" fn(*mut c_void), argument: *mut c_void) -> Fault {
    // SAFETY: the programs of the tests use their arguments as they are meant, and no frame of them needs dropping.
    unsafe { call_guarded(StackLimit(1 << 20), program, argument) }.expect_err("the program fails")
}

#[test]
fn a_fault_frees_what_the_program_was_using() {
    extern "C" fn program(_: *mut c_void) {
        let shared = list(10_000);
        dup_object(shared);
        // A large object, raw ones, freed memory, and memory that is not initialized.
        let _large = cell(0, &[shared; 100], &[1; 100]);
        minoan_raw_object(100_000);
        drop_object(list(100));
        minoan_object_memory(3);
        minoan_object_memory(16);
        raise(Fault::Division);
    }
    let before = live_objects();
    for _ in 0..3 {
        assert_eq!(fail(program, ptr::null_mut()), Fault::Division);
        assert_eq!(live_objects(), before);
    }
    let again = list(20_000);
    drop_object(again);
    assert_eq!(live_objects(), before);
}

#[test]
fn a_fault_leaves_what_rust_owns_with_the_counts_from_before() {
    extern "C" fn program(list: *mut c_void) {
        dup_object(list);
        let _mine = cell(5, &[list, self::list(3)], &[]);
        // SAFETY: the argument has two slots, the first of which is an object.
        dup_object(unsafe { list.cast::<*mut c_void>().add(1).read() });
        raise(Fault::Unreachable);
    }
    let before = live_objects();
    // SAFETY: the test owns the lists.
    let (mine, other) = unsafe { (ObjectRef::from_raw(list(4)), ObjectRef::from_raw(list(7))) };
    let tail = mine.object(0).expect("a list").keep();
    let (mine, other) = (mine.keep(), other.keep());
    assert_eq!(fail(program, mine.as_raw()), Fault::Unreachable);
    assert_eq!(live_objects() - before, 11);
    drop(mine);
    assert_eq!(live_objects() - before, 10, "the tail of the list has an owner of its own");
    drop((tail, other));
    assert_eq!(live_objects(), before);
}

#[test]
fn a_fault_leaves_everything_where_an_owner_is_not_known() {
    extern "C" fn program(_: *mut c_void) {
        let _leaked = list(3);
        raise(Fault::Unreachable);
    }
    let before = live_objects();
    let mine = ObjectRef::cell(1, Vec::new(), &[7]);
    fail(program, ptr::null_mut());
    assert_eq!((live_objects() - before, mine.word(0)), (4, Some(7)));
    drop(mine);
    fail(program, ptr::null_mut());
    assert_eq!(live_objects(), before);
}

#[test]
fn the_objects_of_a_fault_in_a_nested_call_are_freed_when_the_outermost_fails() {
    extern "C" fn inner(_: *mut c_void) {
        let _leaked = list(3);
        raise(Fault::Unreachable);
    }
    extern "C" fn outer(_: *mut c_void) {
        let mine = list(5);
        fail(inner, ptr::null_mut());
        // SAFETY: the list is live, as the call was not the outermost.
        assert_eq!(unsafe { minoan_object_tag(mine) }, 0);
        assert_eq!(live_objects(), 8);
        raise(Fault::Division);
    }
    let before = live_objects();
    assert_eq!(before, 0, "each test has a thread of its own");
    assert_eq!(fail(outer, ptr::null_mut()), Fault::Division);
    assert_eq!(live_objects(), before);
}

/// A ring of references, each with a list of its own: returns a reference of it.
fn ring(length: usize) -> *mut c_void {
    let first = minoan_cyclic_object(2, 2, 0);
    // SAFETY: the slots belong to the new objects.
    unsafe {
        let set = |object: *mut c_void, next: *mut c_void| {
            object.cast::<*mut c_void>().add(1).write(next);
            object.cast::<*mut c_void>().add(2).write(list(3));
        };
        set(first, ptr::null_mut());
        let last = (1..length).fold(first, |next, _| {
            let object = minoan_cyclic_object(2, 2, 0);
            set(object, next);
            object
        });
        dup_object(last);
        first.cast::<*mut c_void>().add(1).write(last);
        if length > 1 { last } else { first }
    }
}

#[test]
fn cycles_are_freed_while_a_program_runs_and_at_its_end() {
    extern "C" fn program(most: *mut c_void) {
        let kept = ring(10);
        let list = self::list(1000);
        for _ in 0..10_000 {
            drop_object(ring(5));
            // SAFETY: the argument is a number of the test.
            let most = unsafe { &mut *most.cast::<i64>() };
            *most = live_objects().max(*most);
        }
        drop_object(kept);
        drop_object(list);
    }
    let (before, mut most) = (live_objects(), 0_i64);
    // SAFETY: the program gets the number that it expects.
    let outcome = unsafe { call_guarded(StackLimit(1 << 20), program, (&raw mut most).cast()) };
    assert_eq!(outcome, Ok(()));
    assert_eq!(live_objects(), before);
    assert!(most < 30_000, "{most} objects were alive at once");
}

#[test]
fn what_a_frame_or_a_caller_owns_is_no_garbage() {
    extern "C" fn program(out: *mut c_void) {
        let shared = list(5);
        let (mine, other) = (ring(3), ring(1));
        dup_object(shared);
        // SAFETY: the second slot of a reference of a ring is a list, which the shared one replaces.
        unsafe {
            let place = mine.cast::<*mut c_void>().add(2);
            drop_object(place.read());
            place.write(shared);
            out.cast::<[*mut c_void; 2]>().write([mine, shared]);
        }
        drop_object(other);
    }
    let before = live_objects();
    let mut out: [*mut c_void; 2] = [ptr::null_mut(); 2];
    for round in 1..3 {
        // SAFETY: the program gets room for two objects.
        let outcome = unsafe { call_guarded(StackLimit(1 << 20), program, (&raw mut out).cast()) };
        assert_eq!(outcome, Ok(()));
        assert_eq!(
            live_objects() - before,
            14 * round,
            "three references, two lists of three, and the shared one"
        );
        // SAFETY: the shared list is live, and has two owners.
        assert_eq!(unsafe { (*out[1].cast::<Header>()).count }, 2);
    }
}

#[test]
fn chunks_are_filled_from_their_starts_when_no_object_is_left() {
    // On a heap of its own.
    let thread = std::thread::spawn(|| {
        const MANY: usize = 200_000;
        let made: Vec<usize> = (0..MANY).map(|at| cell(0, &[], &[at as u64, 0]) as usize).collect();
        // Each list of freed objects has neighbors far apart now.
        for start in 0..7 {
            made.iter().skip(start).step_by(7).for_each(|&object| drop_object(object as *mut c_void));
        }
        assert_eq!(live_objects(), 0);
        let again: Vec<usize> = (0..1000).map(|at| cell(0, &[], &[at, 0]) as usize).collect();
        assert!(again.windows(2).all(|pair| pair[1] == pair[0] + 3 * WORD));
        let mut known = made;
        known.sort_unstable();
        assert!(again.iter().all(|object| known.binary_search(object).is_ok()));
        again.into_iter().for_each(|object| drop_object(object as *mut c_void));
    });
    thread.join().expect("no assertion fails");
}
