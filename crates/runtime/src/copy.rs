//! Element-wise copies between memrefs, at least one of which is strided.

use crate::stack::ensure_room;
use std::ffi::c_void;

/// An array of any rank, as MLIR's lowering passes it: the rank, and the address of the descriptor.
#[repr(C)]
pub struct UnrankedArray {
    /// The number of dimensions.
    rank: i64,
    /// Two pointers, the offset, the extents and the strides; the last three in elements.
    descriptor: *const i64,
}

/// The parts of a descriptor.
struct Array<'a> {
    start: *mut u8,
    extents: &'a [i64],
    strides: &'a [i64],
}

impl UnrankedArray {
    /// # Safety
    /// The descriptor must be valid for `'a`, of elements of `size` bytes.
    unsafe fn read<'a>(&self, size: i64) -> Array<'a> {
        let rank = usize::try_from(self.rank).unwrap_or(0);
        // SAFETY: guaranteed by the caller.
        unsafe {
            let words = std::slice::from_raw_parts(self.descriptor, 3 + 2 * rank);
            let aligned = *self.descriptor.cast::<*mut u8>().add(1);
            let start = aligned.offset((words[2] * size) as isize);
            Array { start, extents: &words[3..3 + rank], strides: &words[3 + rank..] }
        }
    }
}

/// Copies the elements of one array, of `size` bytes each, to another one of the same extents that does not overlap it.
/// `memref.copy` calls this function under MLIR's name for it, unless both arrays are contiguous.
///
/// # Safety
/// Both must point to valid arrays of such elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memrefCopy(size: i64, from: *const UnrankedArray, to: *const UnrankedArray) {
    ensure_room();
    // SAFETY: guaranteed by the caller.
    let (from, to) = unsafe { ((*from).read(size), (*to).read(size)) };
    if from.extents.contains(&0) {
        return;
    }
    // Inner dimensions that are contiguous in both arrays are copied as one block.
    let (mut outer, mut block) = (from.extents.len(), 1);
    while outer > 0 {
        let at = outer - 1;
        if from.extents[at] != 1 && (from.strides[at] != block || to.strides[at] != block) {
            break;
        }
        block *= from.extents[at];
        outer = at;
    }
    let mut index = vec![0; outer];
    let (mut source, mut target) = (0, 0);
    loop {
        // SAFETY: both offsets are those of the elements at `index`, and `block` elements follow them.
        unsafe {
            let source: *const c_void = from.start.offset((source * size) as isize).cast();
            let target: *mut c_void = to.start.offset((target * size) as isize).cast();
            target.copy_from_nonoverlapping(source, (block * size) as usize);
        }
        let more = (0..outer).rev().any(|at| {
            index[at] += 1;
            source += from.strides[at];
            target += to.strides[at];
            let inside = index[at] < from.extents[at];
            if !inside {
                source -= index[at] * from.strides[at];
                target -= index[at] * to.strides[at];
                index[at] = 0;
            }
            inside
        });
        if !more {
            return;
        }
    }
}
