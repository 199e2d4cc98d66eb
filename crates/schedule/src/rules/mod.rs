//! The legality of plans.
//!
//! A plan is legal if it satisfies these rules; [`resolve`] checks them. Bounds, accumulators, points of
//! initialization and temporary storage are inferred, so no legal plan reads what has not been computed.
//!
//! * S1: each statement that is not computed where it is read is exactly one leaf. A padding may be left out: its readers then
//!   read the padded source.
//! * S2: the step of a loop divides that of the next enclosing loop over the same axis, and the tile of a leaf covers
//!   the innermost step of each axis. Every axis of a statement has a loop, unless its extent is 1.
//! * S3: a statement inside of a loop over an axis that it lacks is recomputed in each iteration. A reduction is not
//!   inside of such a loop that is inside of its own loops.
//! * S4: a statement follows the statements that it reads.
//! * S5: a statement that is read is complete: its reader is not inside of its reduction loops, and where the reader does not
//!   read the point that it computes, all points have been computed.
//! * S6: a statement inside of a parallel loop has its axis, as a parallel dimension.
//! * S7: the reduction axes of a statement are split, unrolled, vectorized or interchanged only if its monoid may be
//!   reordered.
//! * S8: accumulators are in registers inside of the loops over the parallel axes of a reduction. Reduction loops around these
//!   are in blocks, between which partial results are in memory: their extents are known and not zero, there is another
//!   reduction loop inside, and the tile does not have lanes along two axes.
//! * S9: a loop whose last step is shifted recomputes only what may be recomputed: it is not parallel, no statement
//!   inside updates the contents of an argument or continues from partial results, and reductions over its axis are idempotent.
//!   Nor does it move out of a step for which a part of an operand has been copied.
//! * S10: a tile has a bounded number of elements. It has lanes along one axis, or along two parallel ones, whose extents
//!   are static multiples of the steps of all their loops: then no step is incomplete. With lanes, all values of the
//!   statement may be elements of vectors.
//! * S11: a prefetch of an argument precedes the statement that reads it, and the innermost loop around both is over an axis of
//!   the argument. The innermost loop of the statement is the only one over another axis of the argument, whose extent is
//!   known. Loops between these two are over axes that the argument lacks, each with one loop and a known extent; together they
//!   have at most as many iterations as the innermost loop.

mod prefetches;
mod reductions;

pub use prefetches::{Pass, Prefetched};

use crate::kernel::{Axis, Kernel, Source, Statement};
use crate::plan::{Leaf, Loop, Node, Pack, Plan, Tail};
use minoan_ir::affine::AffineExpr;
use minoan_services::IteratorType;
use prefetches::Pending;

/// Upper bound on the number of elements of a tile.
pub const MAX_TILE: i64 = 4096;

/// Upper bound on the number of vectors of a tile.
pub const MAX_UNROLLED: i64 = 64;

/// A legal plan in terms of the numbers of axes and statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A loop.
    Loop {
        /// Whether the iterations may run in parallel.
        parallel: bool,
        /// The axis.
        axis: Axis,
        /// The number of indices per iteration.
        step: i64,
        /// The treatment of the last step.
        tail: Option<Tail>,
        /// The body.
        body: Vec<Step>,
    },
    /// A tile of a statement.
    Leaf {
        /// The statement.
        statement: usize,
        /// The tile.
        tile: Tile,
        /// Whether stores bypass the caches.
        nontemporal: bool,
        /// The prefetches that are distributed over its innermost steps.
        prefetches: Vec<Prefetched>,
    },
    /// A copy of an operand.
    Pack {
        /// The statement.
        statement: usize,
        /// The number of the read.
        read: usize,
        /// The order of the dimensions.
        axes: Vec<Axis>,
    },
}

/// The extents of a tile.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tile {
    /// The unrolled axes with their sizes.
    pub unrolled: Vec<(Axis, i64)>,
    /// The axis whose indices are lanes, with their number.
    pub lanes: Option<(Axis, i64)>,
    /// The axis whose indices are groups of such lanes, with their number: the vector has the lanes of its first index,
    /// then those of its second one, and so on.
    pub groups: Option<(Axis, i64)>,
}

impl Tile {
    /// The number of indices along an axis.
    pub fn size(&self, axis: Axis) -> i64 {
        self.axes().find(|&(at, _)| at == axis).map_or(1, |(_, size)| size)
    }

    /// The number of lanes of its vectors; `None` if it has scalars.
    pub fn width(&self) -> Option<i64> {
        self.lanes.map(|(_, lanes)| lanes * self.groups.map_or(1, |(_, groups)| groups))
    }

    /// The axes with their sizes.
    pub fn axes(&self) -> impl Iterator<Item = (Axis, i64)> + '_ {
        self.unrolled.iter().chain(&self.groups).chain(&self.lanes).copied()
    }
}

/// A violated rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The number of the rule.
    pub rule: u8,
    /// The message.
    pub message: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} [S{}]", self.message, self.rule)
    }
}

fn violation<T>(rule: u8, message: String) -> Result<T, Violation> {
    Err(Violation { rule, message })
}

/// Checks a plan for a kernel and replaces names by numbers.
///
/// # Errors
/// The first violated rule.
pub fn resolve(plan: &Plan, kernel: &Kernel) -> Result<Vec<Step>, Violation> {
    let mut checker = Checker {
        kernel,
        around: Vec::new(),
        places: vec![None; kernel.statements.len()],
        packs: Vec::new(),
        prefetches: Vec::new(),
        order: 0,
    };
    let steps = checker.nodes(&plan.nodes)?;
    checker.all_present()?;
    for statement in 0..kernel.statements.len() {
        checker.reads(statement)?;
    }
    Ok(steps)
}

/// A loop around a leaf.
#[derive(Clone, Copy, Debug)]
struct Around<'p> {
    /// The position of the loop in the order of the text.
    id: usize,
    axis: Axis,
    parallel: bool,
    step: i64,
    tail: Option<Tail>,
    text: &'p Loop,
}

/// The position of a leaf.
#[derive(Clone, Debug)]
struct Place<'p> {
    order: usize,
    around: Vec<Around<'p>>,
}

/// A copy of a part of an operand.
#[derive(Clone, Debug)]
struct Copied<'p> {
    statement: usize,
    text: &'p Pack,
    /// The axes of loops around it, with the number of these loops.
    parts: Vec<(Axis, usize)>,
}

struct Checker<'k, 'p> {
    kernel: &'k Kernel,
    around: Vec<Around<'p>>,
    places: Vec<Option<Place<'p>>>,
    packs: Vec<Copied<'p>>,
    prefetches: Vec<Pending<'p>>,
    order: usize,
}

impl<'p> Checker<'_, 'p> {
    fn axis(&self, name: &str) -> Result<Axis, Violation> {
        let known = || self.kernel.axis_names.join(", ");
        match self.kernel.axis(name) {
            Some(axis) => Ok(axis),
            None => violation(1, format!("'{name}' is not an axis of the kernel; the axes are {}", known())),
        }
    }

    fn statement(&self, name: &str) -> Result<usize, Violation> {
        let placed = || {
            let statements = self.kernel.statements.iter().filter(|statement| !statement.is_inline);
            statements.map(|statement| statement.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        match self.kernel.statement(name) {
            Some(at) => Ok(at),
            None => violation(
                1,
                format!("'{name}' is not a statement of the kernel; the statements are {}", placed()),
            ),
        }
    }

    fn nodes(&mut self, nodes: &'p [Node]) -> Result<Vec<Step>, Violation> {
        let mut steps = Vec::with_capacity(nodes.len());
        for node in nodes {
            steps.push(match node {
                Node::Loop(text) => self.counted(text)?,
                Node::Leaf(leaf) => self.leaf(leaf)?,
                Node::Pack(pack) => self.pack(pack)?,
                Node::Prefetch(prefetch) => {
                    self.prefetch(prefetch)?;
                    continue;
                }
            });
        }
        Ok(steps)
    }

    fn counted(&mut self, text: &'p Loop) -> Result<Step, Violation> {
        let axis = self.axis(&text.axis)?;
        let &Loop { parallel, step, tail, ref body, .. } = text;
        let outer = self.around.iter().rev().find(|outer| outer.axis == axis);
        if let Some(outer) = outer.filter(|outer| outer.step % step != 0 || outer.step == step) {
            let outer = outer.text;
            return violation(2, format!("the step of '{text}' does not divide that of '{outer}' around it"));
        }
        if parallel && tail == Some(Tail::Shift) {
            return violation(
                9,
                format!("the last step of '{text}' cannot be shifted, since it is parallel"),
            );
        }
        self.order += 1;
        self.around.push(Around { id: self.order, axis, parallel, step, tail, text });
        let body = self.nodes(body)?;
        self.around.pop();
        Ok(Step::Loop { parallel, axis, step, tail, body })
    }

    fn leaf(&mut self, leaf: &Leaf) -> Result<Step, Violation> {
        let at = self.statement(&leaf.statement)?;
        let statement = &self.kernel.statements[at];
        if statement.is_inline {
            let message = format!("'{}' reads scalars only and is computed where it is read", leaf.statement);
            return violation(1, message);
        }
        self.order += 1;
        let place = Place { order: self.order, around: self.around.clone() };
        if self.places[at].replace(place).is_some() {
            return violation(1, format!("'{}' is computed twice", leaf.statement));
        }
        let tile = self.tile(leaf, statement)?;
        self.covered(leaf, statement, &tile)?;
        for around in &self.around {
            self.loop_around(leaf, statement, around)?;
        }
        self.copies(at)?;
        self.reduction(leaf, statement, &tile)?;
        let prefetches = self.prefetched(at)?;
        Ok(Step::Leaf { statement: at, tile, nontemporal: leaf.nontemporal, prefetches })
    }

    fn tile(&self, leaf: &Leaf, statement: &Statement) -> Result<Tile, Violation> {
        let mut tile = Tile::default();
        for dim in &leaf.tile {
            let axis = self.axis(&dim.axis)?;
            if !statement.has_axis(axis) {
                return violation(2, format!("'{}' does not iterate over '{}'", leaf.statement, dim.axis));
            }
            if tile.axes().any(|(other, _)| other == axis) {
                return violation(2, format!("'{leaf}' has two sizes along '{}'", dim.axis));
            }
            if !dim.lanes {
                tile.unrolled.push((axis, dim.size));
            } else if tile.groups.is_some() {
                return violation(10, format!("'{leaf}' has lanes along more than two axes"));
            } else {
                tile.groups = tile.lanes.replace((axis, dim.size));
            }
        }
        if tile.lanes.is_some() && !statement.has_vectors {
            return violation(10, format!("'{leaf}' has lanes, but vectors cannot have its elements"));
        }
        if tile.groups.is_some() {
            tile.lanes
                .iter()
                .chain(&tile.groups)
                .try_for_each(|&(axis, _)| self.complete(leaf, statement, axis))?;
        }
        let lanes = [tile.lanes, tile.groups].iter().flatten().map(|&(_, size)| size).product::<i64>();
        let unrolled = tile.unrolled.iter().try_fold(1i64, |all, (_, size)| all.checked_mul(*size));
        let elements = unrolled.and_then(|all| all.checked_mul(lanes));
        if unrolled.is_none_or(|all| all > MAX_UNROLLED) || elements.is_none_or(|all| all > MAX_TILE) {
            let message = format!("'{leaf}' exceeds {MAX_UNROLLED} vectors or {MAX_TILE} elements");
            return violation(10, message);
        }
        Ok(tile)
    }

    /// Checks an axis of a tile with lanes along several axes: all its steps must be complete.
    fn complete(&self, leaf: &Leaf, statement: &Statement, axis: Axis) -> Result<(), Violation> {
        let name = &self.kernel.axis_names[axis];
        if statement.reduces(axis) {
            return violation(
                10,
                format!("'{leaf}' has lanes along '{name}', which it reduces, and another axis"),
            );
        }
        let divides = |around: &&Around<'_>| {
            self.kernel.known_extent(axis).is_some_and(|extent| extent % around.step == 0)
        };
        match self.around.iter().find(|around| around.axis == axis && !divides(around)) {
            None => Ok(()),
            Some(Around { text, .. }) => {
                let message = format!(
                    "'{leaf}' has lanes along two axes, but the last step of '{text}' may be incomplete"
                );
                violation(10, message)
            }
        }
    }

    /// The tile covers the innermost step of each axis.
    fn covered(&self, leaf: &Leaf, statement: &Statement, tile: &Tile) -> Result<(), Violation> {
        for &axis in &statement.axes {
            let (name, size) = (&self.kernel.axis_names[axis], tile.size(axis));
            let innermost = self.around.iter().rev().find(|around| around.axis == axis);
            match innermost {
                None if self.kernel.is_unit(axis) && size == 1 => {}
                None => return violation(2, format!("'{leaf}' is inside of no loop over '{name}'")),
                Some(around) if around.step != size => {
                    let (step, text) = (around.step, around.text);
                    let message = format!("'{leaf}' covers {size} of the {step} indices of '{text}'");
                    return violation(2, message);
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn loop_around(&self, leaf: &Leaf, statement: &Statement, around: &Around<'_>) -> Result<(), Violation> {
        let Around { axis, parallel, tail, text, .. } = *around;
        if parallel && !statement.dims().any(|dim| dim == (axis, IteratorType::Parallel)) {
            let message = format!("'{}' does not write disjoint elements in '{text}'", leaf.statement);
            return violation(6, message);
        }
        if tail == Some(Tail::Shift) && statement.has_axis(axis) {
            let updates = matches!(statement.init, Source::Argument(_))
                && statement.reads.iter().any(|access| access.source == statement.init);
            let idempotent = statement.combine().is_some_and(|(_, monoid)| monoid.idempotent);
            if updates || (statement.reduces(axis) && !idempotent) {
                let message =
                    format!("the shifted last step of '{text}' repeats updates of '{}'", leaf.statement);
                return violation(9, message);
            }
        }
        Ok(())
    }

    /// A shifted last step does not begin before the part of an operand that has been copied.
    fn copies(&self, statement: usize) -> Result<(), Violation> {
        for copied in self.packs.iter().filter(|copied| copied.statement == statement) {
            for &(axis, count) in &copied.parts {
                let mut loops = self.around.iter().filter(|around| around.axis == axis).skip(count);
                if let Some(Around { text, .. }) = loops.find(|around| around.tail == Some(Tail::Shift)) {
                    let copy = copied.text;
                    let message =
                        format!("the shifted last step of '{text}' may begin before the copy '{copy}'");
                    return violation(9, message);
                }
            }
        }
        Ok(())
    }

    fn pack(&mut self, pack: &'p Pack) -> Result<Step, Violation> {
        let at = self.statement(&pack.statement)?;
        let statement = &self.kernel.statements[at];
        let access = statement.reads.get(pack.operand);
        if !access.is_some_and(|access| matches!(access.source, Source::Argument(_))) {
            return violation(1, format!("'{pack}' does not copy an argument of the kernel"));
        }
        if self.places[at].is_some() {
            return violation(4, format!("'{pack}' follows the statement that reads the copy"));
        }
        let axes: Vec<Axis> = pack.axes.iter().map(|axis| self.axis(axis)).collect::<Result<_, _>>()?;
        let read = statement.distinct_axes_of_read(pack.operand);
        let (mut wanted, mut found) = (read.unwrap_or_default(), axes.clone());
        wanted.sort_unstable();
        found.sort_unstable();
        if wanted != found {
            return violation(1, format!("'{pack}' does not list the axes of the operand"));
        }
        let count = |axis: Axis| self.around.iter().filter(|around| around.axis == axis).count();
        let parts = axes.iter().map(|&axis| (axis, count(axis))).filter(|(_, count)| *count > 0).collect();
        self.packs.push(Copied { statement: at, text: pack, parts });
        Ok(Step::Pack { statement: at, read: pack.operand, axes })
    }

    fn all_present(&self) -> Result<(), Violation> {
        for (number, (statement, place)) in self.kernel.statements.iter().zip(&self.places).enumerate() {
            if place.is_none() && !statement.is_inline && !self.is_read_through(number) {
                return violation(1, format!("'{}' is not computed", statement.name));
            }
        }
        Ok(())
    }

    /// Whether a statement that is not computed is a padding whose readers read the padded source.
    fn is_read_through(&self, number: usize) -> bool {
        let mut readers = self.kernel.readers(number);
        self.kernel.statements[number].pads()
            && self.kernel.output_of(number).is_none()
            && readers.all(|(reader, read)| {
                self.places[reader].is_some() && self.kernel.through_padding(reader, read).is_some()
            })
    }

    /// The reads of a statement from others.
    fn reads(&self, reader: usize) -> Result<(), Violation> {
        let statement = &self.kernel.statements[reader];
        let Some(place) = &self.places[reader] else { return Ok(()) };
        for access in &statement.reads {
            let Source::Statement(number) = access.source else { continue };
            let producer = &self.kernel.statements[number];
            let Some(from) = &self.places[number] else { continue };
            let (name, reads) = (&statement.name, &producer.name);
            if from.order > place.order {
                return violation(4, format!("'{name}' reads '{reads}', which is computed later"));
            }
            let shared = from.around.iter().zip(&place.around).take_while(|(a, b)| a.id == b.id);
            let shared: Vec<&Around<'_>> = shared.map(|(around, _)| around).collect();
            if let Some(around) = shared.iter().find(|around| producer.reduces(around.axis)) {
                let message =
                    format!("'{name}' reads '{reads}' inside of '{}', which reduces it", around.text);
                return violation(5, message);
            }
            let (results, written) = (&access.map.results, &producer.write.results);
            for (to, from) in results.iter().zip(written) {
                let axis = producer.axis_of(from);
                let same = match (statement.axis_of(to), axis) {
                    (Some(to), Some(from)) => to == from,
                    _ => to == from && matches!(to, AffineExpr::Constant(_)),
                };
                let mut needed = Vec::new();
                producer.axes_in(from, &mut needed);
                let partial = |around: &&&Around<'_>| {
                    needed.contains(&around.axis) && !self.kernel.is_unit(around.axis)
                };
                if let Some(around) = shared.iter().find(partial).filter(|_| !same) {
                    let message = format!(
                        "'{name}' reads other elements of '{reads}' than those computed in one iteration of '{}'",
                        around.text
                    );
                    return violation(5, message);
                }
            }
        }
        Ok(())
    }
}
