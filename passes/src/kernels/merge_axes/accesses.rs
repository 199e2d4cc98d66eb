//! The accesses of a kernel to its tensors, and the axes that may be merged in view of them.

use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Body, Context, DYNAMIC, Value};
use minoan_schedule::{Axis, Kernel, Source, Statement};
use minoan_services::IteratorType;
use rustc_hash::FxHashMap;

/// The successor of each axis that is merged with the next one.
pub(super) type Followers = FxHashMap<Axis, Axis>;

/// An access of a statement to a tensor.
pub(super) struct Access<'k> {
    pub(super) statement: &'k Statement,
    /// The tensor, unless its elements are undefined.
    pub(super) source: Source,
    /// The index of each dimension, without axes that have one index.
    pub(super) indices: Vec<AffineExpr>,
    pub(super) shape: Vec<i64>,
}

impl Access<'_> {
    /// The axis by which a dimension is indexed; `None` for any other index.
    pub(super) fn axis(&self, dim: usize) -> Option<Axis> {
        self.indices.get(dim).and_then(|expr| self.statement.axis_of(expr))
    }

    /// For each dimension, whether it is merged with the one before it.
    pub(super) fn merged(&self, followers: &Followers) -> Vec<bool> {
        let follows = |dim: usize| {
            let before = dim.checked_sub(1).and_then(|before| self.axis(before));
            before.is_some_and(|before| followers.get(&before).copied() == self.axis(dim))
        };
        (0..self.indices.len()).map(|dim| self.axis(dim).is_some() && follows(dim)).collect()
    }
}

/// The accesses of all statements to tensors.
pub(super) fn accesses<'k>(kernel: &'k Kernel, nested: &Body, ctx: &Context) -> Vec<Access<'k>> {
    let mut all = Vec::new();
    for (number, statement) in kernel.statements.iter().enumerate() {
        let shape = |value: Value| nested.ty(value).shape(ctx).unwrap_or(&[]).to_vec();
        let result = |number: usize| shape(nested.op(kernel.statements[number].op).result(0));
        let mut add = |source: Source, map: &AffineMap, shape: Vec<i64>| {
            let indices = without_units(kernel, statement, map, &shape);
            all.push(Access { statement, source, indices, shape });
        };
        for read in &statement.reads {
            match read.source {
                Source::Argument(at) => add(read.source, &read.map, shape(kernel.args[at])),
                Source::Statement(at) => add(read.source, &read.map, result(at)),
                Source::Scalar(_) | Source::Undefined => {}
            }
        }
        let own = result(number);
        add(Source::Statement(number), &statement.write, own.clone());
        if !matches!(statement.init, Source::Undefined) {
            add(statement.init, &statement.write, own);
        }
    }
    all
}

/// The indices of a map without axes that have one index in sums, where they are zero.
///
/// An index that becomes a single axis has its extent. Other windows do not cover the tensor.
pub(super) fn without_units(
    kernel: &Kernel,
    statement: &Statement,
    map: &AffineMap,
    shape: &[i64],
) -> Vec<AffineExpr> {
    let dims: Vec<AffineExpr> = (0..map.dims)
        .map(|dim| {
            let is_unit = statement.axes.get(dim as usize).is_some_and(|&axis| kernel.is_unit(axis));
            if is_unit { AffineExpr::Constant(0) } else { AffineExpr::Dim(dim) }
        })
        .collect();
    let simpler = |(dim, expr): (usize, &AffineExpr)| {
        let simple = match expr {
            AffineExpr::Dim(_) => None,
            _ => expr.substitute(&dims),
        };
        let covers = |simple: &AffineExpr| match statement.axis_of(simple) {
            Some(axis) => kernel.known_extent(axis) == shape.get(dim).copied(),
            None => false,
        };
        simple.filter(covers).unwrap_or_else(|| expr.clone())
    };
    map.results.iter().enumerate().map(simpler).collect()
}

/// The pairs of axes that are adjacent in every access that has one of them.
pub(super) fn followers(kernel: &Kernel, accesses: &[Access<'_>]) -> Followers {
    let mut followers = Followers::default();
    for access in accesses {
        for dim in 1..access.indices.len() {
            if let (Some(axis), Some(next)) = (access.axis(dim - 1), access.axis(dim)) {
                followers.entry(axis).or_insert(next);
            }
        }
    }
    // The extent of an axis is taken from an argument that it indexes.
    let is_argument = |access: &&Access<'_>| matches!(access.source, Source::Argument(_));
    let indexes =
        |access: &Access<'_>, axis: Axis| (0..access.indices.len()).any(|dim| access.axis(dim) == Some(axis));
    let is_long = |axis: Axis| match kernel.known_extent(axis) {
        Some(extent) => extent > 1,
        None => accesses.iter().filter(is_argument).any(|access| indexes(access, axis)),
    };
    followers.retain(|&axis, &mut next| {
        is_long(axis)
            && is_long(next)
            && accesses.iter().all(|access| are_adjacent(kernel, access, axis, next))
    });
    followers
}

/// Whether an access has two axes in dimensions of their extents that follow each other and nowhere else, or neither.
pub(super) fn are_adjacent(kernel: &Kernel, access: &Access<'_>, axis: Axis, next: Axis) -> bool {
    let mut found = Vec::new();
    access.indices.iter().for_each(|expr| access.statement.axes_in(expr, &mut found));
    let count = |axis: Axis| found.iter().filter(|&&other| other == axis).count();
    match (count(axis), count(next)) {
        (0, 0) => true,
        (1, 1) => (1..access.indices.len()).any(|dim| {
            let covers = |dim: usize, axis: Axis| {
                let (extent, known) = (access.shape.get(dim), kernel.known_extent(axis));
                access.axis(dim) == Some(axis)
                    && extent.is_some_and(|&extent| extent == known.unwrap_or(DYNAMIC))
            };
            covers(dim - 1, axis) && covers(dim, next)
        }),
        _ => false,
    }
}

/// Whether a statement has both of two axes, with the same iterator type and in an order that merging them keeps, or neither.
pub(super) fn merges_dims(kernel: &Kernel, statement: &Statement, axis: Axis, next: Axis) -> bool {
    let place = |axis: Axis| statement.axes.iter().position(|&other| other == axis);
    let (Some(first), Some(second)) = (place(axis), place(next)) else {
        return place(axis) == place(next);
    };
    let reduces = |dim: usize| statement.iterators[dim] == IteratorType::Reduction;
    if reduces(first) != reduces(second) || statement.pads() {
        return false;
    }
    let between = |&dim: &usize| reduces(dim) && !kernel.is_unit(statement.axes[dim]);
    !reduces(first) || statement.reorders() || first < second && !(first + 1..second).any(|dim| between(&dim))
}

/// For each tensor, which of its dimensions are merged with the one before. `None` if the accesses to a tensor differ in that.
pub(super) fn merged_tensors(
    kernel: &Kernel,
    accesses: &[Access<'_>],
    followers: &Followers,
) -> Option<FxHashMap<Source, Vec<bool>>> {
    let mut tensors: FxHashMap<Source, Vec<bool>> = FxHashMap::default();
    for access in accesses {
        let merged = access.merged(followers);
        if *tensors.entry(access.source).or_insert_with(|| merged.clone()) != merged {
            return None;
        }
    }
    // A result and the output it is written to have the same shape, so their axes are merged alike.
    let outputs = kernel.results.iter().enumerate();
    let agrees = |(output, &number): (usize, &usize)| {
        let merged = |source: Source| tensors.get(&source);
        let output = merged(Source::Argument(kernel.inputs + output));
        output.is_some() && output == merged(Source::Statement(number))
    };
    outputs.clone().all(agrees).then_some(tensors)
}
