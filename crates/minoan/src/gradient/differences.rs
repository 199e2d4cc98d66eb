//! Gradients without reverse mode: by forward mode and by central differences.

use super::Wrt;
use super::numbers::{filled, floats, is_single, set, tangent_of, total};
use super::tangents::{chosen, leaves_of, structure_of, zero_directions};
use crate::interface::nested::TangentLeaf as Leaf;
use crate::{Backend, Entry, Failure, Session};
use minoan_services::Datum;

/// The gradient of the sum of an entry's results, by forward mode: one run for each number in the parameters.
///
/// # Errors
/// As [`Session::grad`], and those of running.
pub fn forward_gradient(
    session: &Session,
    entry: &Entry,
    wrt: Wrt<'_>,
    args: &[Datum],
    backend: Backend,
) -> Result<Vec<Datum>, Failure> {
    let jvp = session.prepare(&session.jvp(entry, wrt)?, backend)?;
    by_element(entry, wrt, args, |directions, _, _| {
        let given: Vec<Datum> = args.iter().chain(directions).cloned().collect();
        Ok(total(&jvp.call(&given)?))
    })
}

/// A gradient by central differences.
#[derive(Clone, Debug)]
pub struct Differences {
    /// The derivatives, in the structure of the parameters.
    pub gradient: Vec<Datum>,
    /// The estimated absolute error of each number in `gradient`, in the same order.
    pub errors: Vec<f64>,
}

/// The gradient of the sum of an entry's results, by central differences: at least five runs for each number in the parameters.
///
/// # Errors
/// As [`Session::grad`], and those of running.
pub fn difference_gradient(
    session: &Session,
    entry: &Entry,
    wrt: Wrt<'_>,
    args: &[Datum],
    backend: Backend,
) -> Result<Differences, Failure> {
    let function = session.prepare(&session.packed(entry)?, backend)?;
    let mut errors = Vec::new();
    let gradient = by_element(entry, wrt, args, |_, leaf, index| {
        let numbers = floats(&args[leaf]).unwrap_or_default();
        let single = is_single(&args[leaf]);
        let round = |number: f64| if single { f64::from(number as f32) } else { number };
        let value = |number: f64| -> Result<f64, Failure> {
            let mut given = args.to_vec();
            given[leaf] = filled(&args[leaf], &|other| if other == index { number } else { numbers[other] });
            Ok(total(&function.call(&given)?))
        };
        let middle = value(numbers[index])?;
        let slope = |step: f64| -> Result<Slope, Failure> {
            let (below, above) = (round(numbers[index] - step), round(numbers[index] + step));
            let (first, last) = (value(below)?, value(above)?);
            let left = (middle - first) / (numbers[index] - below);
            let right = (last - middle) / (above - numbers[index]);
            Ok(Slope { central: (last - first) / (above - below), gap: (right - left).abs() })
        };
        let largest_step = if single { 1.0 / 64.0 } else { 1.0 / 1024.0 };
        let (slope, error) = extrapolated(largest_step * numbers[index].abs().max(1.0), slope)?;
        errors.push(error);
        Ok(slope)
    })?;
    Ok(Differences { gradient, errors })
}

/// The differences of a function for a step.
struct Slope {
    central: f64,
    /// The distance between the one-sided differences.
    gap: f64,
}

/// The limit of central differences as the step goes to zero, and an estimate of its error: Ridders' method, which
/// extrapolates differences of halved steps. It ends when the error is small, or grows because of rounding. Where the one-sided
/// differences do not approach each other, at or near a kink, the error is their distance.
fn extrapolated(
    mut step: f64,
    mut slope: impl FnMut(f64) -> Result<Slope, Failure>,
) -> Result<(f64, f64), Failure> {
    const ROWS: usize = 10;
    const SMALL: f64 = 1e-4;
    /// The least ratio of the gaps of a step and of a longer one at a kink; elsewhere it is at most 1/2.
    const KINK: f64 = 0.75;
    let first = slope(step)?;
    let (mut last, mut gap) = (vec![first.central], first.gap);
    let (mut best, mut error) = (last[0], f64::INFINITY);
    for _ in 1..ROWS {
        step /= 2.0;
        let next = slope(step)?;
        let mut row = vec![next.central];
        gap = next.gap;
        let mut factor = 1.0;
        for (at, before) in last.iter().enumerate() {
            factor *= 4.0;
            let coarse = row[at];
            let fine = (coarse * factor - before) / (factor - 1.0);
            let own = (fine - coarse).abs().max((fine - before).abs());
            if own <= error {
                (best, error) = (fine, own);
            }
            row.push(fine);
        }
        let change = (row[row.len() - 1] - last[last.len() - 1]).abs();
        let is_done = error <= SMALL * best.abs().max(1.0) || change >= 2.0 * error;
        last = row;
        if is_done {
            break;
        }
    }
    let is_kink = gap > KINK * first.gap && gap > 10.0 * SMALL * best.abs().max(1.0);
    Ok((best, if is_kink { error.max(gap) } else { error }))
}

/// A number for each number of the parameters in `wrt`, from the unit direction, the argument and the position in it.
fn by_element(
    entry: &Entry,
    wrt: Wrt<'_>,
    args: &[Datum],
    mut number: impl FnMut(&[Datum], usize, usize) -> Result<f64, Failure>,
) -> Result<Vec<Datum>, Failure> {
    let leaves = leaves_of(&entry.interface, &chosen(&entry.interface, wrt)?);
    let mut directions = zero_directions(args, &leaves);
    let mut found = Vec::new();
    for (at, &(number_of, leaf)) in leaves.iter().enumerate() {
        let own = &args[number_of];
        let count = if leaf == Leaf::Float { floats(own).map_or(0, |numbers| numbers.len()) } else { 0 };
        let mut numbers = Vec::with_capacity(count);
        for index in 0..count {
            set(&mut directions[at], index, 1.0);
            numbers.push(number(&directions, number_of, index)?);
            set(&mut directions[at], index, 0.0);
        }
        found.push(match leaf {
            Leaf::Float => tangent_of(own, &|index| numbers[index]),
            leaf => structure_of(own, leaf),
        });
    }
    Ok(found)
}
