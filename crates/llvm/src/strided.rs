//! Copies between dense and strided arrays.
//!
//! Adjacent dimensions that are dense together become one, rows that are dense are copied as blocks, and transposed arrays are
//! copied tile by tile, so that a copy touches each cache line of either side once.

use std::ptr;

/// The extent of a tile in both dimensions: 32 rows of 8 bytes stay in the first cache.
const TILE: usize = 32;

/// A dimension of a copy; strides are in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Dimension {
    extent: usize,
    dense: isize,
    strided: isize,
}

/// The side that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    /// From the strided array to the dense one.
    Gather,
    /// From the dense array to the strided one.
    Scatter,
}

/// Copies all elements of `size` bytes between a dense row-major array and a strided one of the same shape. `strides` are in
/// bytes; neither side needs to be aligned.
///
/// # Safety
/// All elements of both arrays must be readable, those of the written one writable, and the arrays must not overlap. There
/// must be as many strides as extents, and the offsets of all elements must fit into `isize`.
pub(crate) unsafe fn copy(
    direction: Direction,
    size: usize,
    shape: &[usize],
    strides: &[isize],
    dense: *mut u8,
    strided: *mut u8,
) {
    if shape.contains(&0) {
        return;
    }
    let dimensions = merged(size, shape, strides);
    // SAFETY: guaranteed by the caller; merging dimensions keeps the set of elements.
    unsafe {
        match direction {
            Direction::Gather => over(size, &dimensions, strided, dense, |it| (it.strided, it.dense)),
            Direction::Scatter => over(size, &dimensions, dense, strided, |it| (it.dense, it.strided)),
        }
    }
}

/// The dimensions with more than one element, in which dimensions that are dense in each other are one.
fn merged(size: usize, shape: &[usize], strides: &[isize]) -> Vec<Dimension> {
    let mut dense = size as isize;
    let mut dimensions: Vec<Dimension> = Vec::with_capacity(shape.len());
    for (&extent, &strided) in shape.iter().zip(strides).rev() {
        if extent == 1 {
            continue;
        }
        match dimensions.last_mut() {
            Some(inner) if strided == inner.strided.wrapping_mul(inner.extent as isize) => {
                inner.extent *= extent
            }
            _ => dimensions.push(Dimension { extent, dense, strided }),
        }
        dense *= extent as isize;
    }
    dimensions.reverse();
    dimensions
}

/// # Safety
/// As for [`copy`].
unsafe fn over(
    size: usize,
    dimensions: &[Dimension],
    from: *const u8,
    to: *mut u8,
    strides: impl Fn(&Dimension) -> (isize, isize) + Copy,
) {
    let Some((last, outer)) = dimensions.split_last() else {
        // SAFETY: guaranteed by the caller; there is one element.
        return unsafe { to.copy_from_nonoverlapping(from, size) };
    };
    // A dimension with smaller steps than the last one is the faster one on the strided side.
    let faster =
        outer.iter().enumerate().filter(|(_, it)| it.strided.unsigned_abs() < last.strided.unsigned_abs());
    let faster = faster.min_by_key(|(_, it)| it.strided.unsigned_abs()).map(|(at, _)| at);
    let is_block = last.strided == size as isize;
    let mut rest: Vec<Dimension> = outer.to_vec();
    let row = faster.filter(|_| !is_block).map(|at| rest.remove(at));
    let (step_from, step_to) = strides(last);
    let each = |from: *const u8, to: *mut u8| {
        // SAFETY: guaranteed by the caller: the addresses are those of elements.
        unsafe {
            if is_block {
                return to.copy_from_nonoverlapping(from, size * last.extent);
            }
            let Some(row) = &row else {
                return line(size, last.extent, (from, step_from), (to, step_to));
            };
            let (row_from, row_to) = strides(row);
            for first_row in (0..row.extent).step_by(TILE) {
                for first in (0..last.extent).step_by(TILE) {
                    let count = TILE.min(last.extent - first);
                    for at in first_row..row.extent.min(first_row + TILE) {
                        let from = from.offset(at as isize * row_from + first as isize * step_from);
                        let to = to.offset(at as isize * row_to + first as isize * step_to);
                        line(size, count, (from, step_from), (to, step_to));
                    }
                }
            }
        }
    };
    let mut index = vec![0usize; rest.len()];
    let (mut at_from, mut at_to) = (0isize, 0isize);
    loop {
        // SAFETY: the offsets are those of elements.
        unsafe { each(from.offset(at_from), to.offset(at_to)) };
        let mut dim = rest.len();
        loop {
            if dim == 0 {
                return;
            }
            dim -= 1;
            let (step_from, step_to) = strides(&rest[dim]);
            index[dim] += 1;
            at_from += step_from;
            at_to += step_to;
            if index[dim] < rest[dim].extent {
                break;
            }
            at_from -= step_from * rest[dim].extent as isize;
            at_to -= step_to * rest[dim].extent as isize;
            index[dim] = 0;
        }
    }
}

/// Copies `count` elements at two distances.
///
/// # Safety
/// The elements must be readable and writable.
unsafe fn line(size: usize, count: usize, from: (*const u8, isize), to: (*mut u8, isize)) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        match size {
            1 => typed::<u8>(count, from, to),
            2 => typed::<u16>(count, from, to),
            4 => typed::<u32>(count, from, to),
            8 => typed::<u64>(count, from, to),
            _ => {
                for at in 0..count as isize {
                    to.0.offset(at * to.1).copy_from_nonoverlapping(from.0.offset(at * from.1), size);
                }
            }
        }
    }
}

/// # Safety
/// As for [`line`], for elements of the size of `T`.
unsafe fn typed<T: Copy>(count: usize, from: (*const u8, isize), to: (*mut u8, isize)) {
    for at in 0..count as isize {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let element = ptr::read_unaligned(from.0.offset(at * from.1).cast::<T>());
            ptr::write_unaligned(to.0.offset(at * to.1).cast::<T>(), element);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offset of an element, by its index.
    fn offset(shape: &[usize], strides: &[isize], mut place: usize) -> isize {
        let mut total = 0;
        for (&extent, &stride) in shape.iter().zip(strides).rev() {
            total += (place % extent) as isize * stride;
            place /= extent;
        }
        total
    }

    /// Strides of an array with permuted dimensions, of which only every `gap`th element is used; and the bytes that it spans.
    fn permuted(size: usize, shape: &[usize], order: &[usize], gap: usize) -> (Vec<isize>, usize) {
        let (mut strides, mut next) = (vec![0; shape.len()], (size * gap) as isize);
        for &dim in order.iter().rev() {
            strides[dim] = next;
            next *= shape[dim] as isize;
        }
        (strides, next as usize)
    }

    #[test]
    fn every_order_of_dimensions_is_copied_both_ways() {
        let shapes: [&[usize]; 5] = [&[3, 40, 5], &[70, 33], &[1, 4, 1], &[7], &[2, 3, 2]];
        for size in [1usize, 2, 3, 4, 8] {
            for shape in shapes {
                let orders: Vec<Vec<usize>> = match shape.len() {
                    1 => vec![vec![0]],
                    2 => vec![vec![0, 1], vec![1, 0]],
                    _ => vec![vec![0, 1, 2], vec![2, 1, 0], vec![1, 0, 2], vec![0, 2, 1], vec![1, 2, 0]],
                };
                for (order, gap) in orders.iter().flat_map(|order| [(order, 1), (order, 2)]) {
                    let (strides, bytes) = permuted(size, shape, order, gap);
                    let mut source: Vec<u8> = (0..bytes).map(|at| (at * 31 % 251) as u8).collect();
                    let count: usize = shape.iter().product();
                    let mut dense = vec![0u8; count * size];
                    let (from, to) = (source.as_mut_ptr(), dense.as_mut_ptr());
                    // SAFETY: the strides stay in the array.
                    unsafe { copy(Direction::Gather, size, shape, &strides, to, from) };
                    for (place, element) in dense.chunks(size).enumerate() {
                        let at = offset(shape, &strides, place) as usize;
                        assert_eq!(element, &source[at..at + size], "{shape:?} {strides:?} {place}");
                    }
                    let mut back = vec![0u8; bytes];
                    // SAFETY: as above.
                    unsafe { copy(Direction::Scatter, size, shape, &strides, to, back.as_mut_ptr()) };
                    for place in 0..count {
                        let at = offset(shape, &strides, place) as usize;
                        assert_eq!(back[at..at + size], source[at..at + size]);
                    }
                }
            }
        }
    }

    #[test]
    fn dimensions_that_are_dense_together_are_one() {
        let one = |extent, dense, strided| Dimension { extent, dense, strided };
        assert_eq!(merged(4, &[2, 3, 4], &[48, 16, 4]), [one(24, 4, 4)]);
        assert_eq!(merged(4, &[2, 3, 4], &[96, 32, 8]), [one(24, 4, 8)]);
        assert_eq!(merged(4, &[2, 1, 4], &[40, 7, 4]), [one(2, 16, 40), one(4, 4, 4)]);
        assert_eq!(merged(4, &[3, 4], &[0, 4]), [one(3, 16, 0), one(4, 4, 4)]);
        assert_eq!(merged(4, &[2, 2], &[0, 0]), [one(4, 4, 0)]);
        assert_eq!(merged(4, &[1, 1], &[9, 9]), []);
    }
}
