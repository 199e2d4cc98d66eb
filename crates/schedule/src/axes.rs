//! Axes: classes of the dimensions of all statements, unified along reads.

use crate::kernel::{Access, Axis, AxisExtent, NotAKernel, Source, Statement};
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Body, DYNAMIC, Value};
use rustc_hash::FxHashMap;

/// The name and the extent of each axis.
type NamesAndExtents = (Vec<String>, Vec<AxisExtent>);

/// A union-find structure over the dimensions of all statements.
pub struct Axes {
    parent: Vec<usize>,
    /// For each root, its dimensions as pairs of a statement and a dimension.
    members: Vec<Vec<(usize, u32)>>,
    /// The number of the first dimension of each statement.
    first: Vec<usize>,
}

impl Axes {
    /// Unifies the dimensions of the statements: those that index the same dimension of a tensor along the edge from a producer
    /// to a consumer, or of a shared argument. Two dimensions of one statement are never unified: if a read would require it, the
    /// consumer reads the producer out of order. Sets the axes of the statements and returns the name and extent of each axis.
    ///
    /// # Errors
    /// The extent of an axis cannot be computed from the arguments.
    pub(crate) fn of(
        body: &Body,
        args: &[Value],
        statements: &mut [Statement],
        extents: &[Vec<Option<AxisExtent>>],
        results: &[usize],
    ) -> Result<NamesAndExtents, NotAKernel> {
        let mut first = Vec::with_capacity(statements.len());
        let mut members = Vec::new();
        for (number, statement) in statements.iter().enumerate() {
            first.push(members.len());
            members.extend((0..statement.iterators.len()).map(|dim| vec![(number, dim as u32)]));
        }
        let mut axes = Axes { parent: (0..members.len()).collect(), members, first };
        axes.unify_edges(statements);
        axes.unify_arguments(statements);
        let order = axes.order(statements, results);
        for (number, statement) in statements.iter_mut().enumerate() {
            let dims = 0..statement.iterators.len();
            statement.axes = dims.map(|dim| order[&axes.find(axes.first[number] + dim)]).collect();
        }
        let found = axis_extents(body, args, statements, extents, order.len())?;
        Ok(((0..order.len()).map(name).collect(), found))
    }

    fn find(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    /// Unifies two dimensions unless a statement has both. The smaller class is merged into the larger one.
    fn unify(&mut self, a: (usize, u32), b: (usize, u32)) {
        let find = |(statement, dim): (usize, u32)| self.find(self.first[statement] + dim as usize);
        let (mut a, mut b) = (find(a), find(b));
        if a == b {
            return;
        }
        if self.members[a].len() < self.members[b].len() {
            std::mem::swap(&mut a, &mut b);
        }
        let clash = |&(statement, dim): &(usize, u32)| {
            self.members[a].iter().any(|&(other, there)| other == statement && there != dim)
        };
        if self.members[b].iter().any(clash) {
            return;
        }
        self.parent[b] = a;
        let moved = std::mem::take(&mut self.members[b]);
        self.members[a].extend(moved);
    }

    fn unify_edges(&mut self, statements: &[Statement]) {
        for (reader, statement) in statements.iter().enumerate() {
            for access in &statement.reads {
                let Source::Statement(producer) = access.source else { continue };
                let written = &statements[producer].write.results;
                for (to, from) in access.map.results.iter().zip(written) {
                    if let (AffineExpr::Dim(to), AffineExpr::Dim(from)) = (to, from) {
                        self.unify((reader, *to), (producer, *from));
                    }
                }
            }
            // The initial contents have the indices of the result.
            if let Source::Statement(producer) = statement.init {
                for (to, from) in statement.write.results.iter().zip(&statements[producer].write.results) {
                    if let (AffineExpr::Dim(to), AffineExpr::Dim(from)) = (to, from) {
                        self.unify((reader, *to), (producer, *from));
                    }
                }
            }
        }
    }

    fn unify_arguments(&mut self, statements: &[Statement]) {
        let mut seen: FxHashMap<(usize, usize), (usize, u32)> = FxHashMap::default();
        let mut note = |axes: &mut Self, argument: usize, dim: usize, expr: &AffineExpr, number: usize| {
            if let AffineExpr::Dim(at) = expr {
                let at = (number, *at);
                let other = *seen.entry((argument, dim)).or_insert(at);
                axes.unify(at, other);
            }
        };
        for (number, statement) in statements.iter().enumerate() {
            if let Source::Argument(argument) = statement.init {
                for (dim, expr) in statement.write.results.iter().enumerate() {
                    note(self, argument, dim, expr, number);
                }
            }
            for Access { source, map, .. } in &statement.reads {
                let &Source::Argument(argument) = source else { continue };
                for (dim, expr) in map.results.iter().enumerate() {
                    note(self, argument, dim, expr, number);
                }
            }
        }
    }

    /// Numbers the classes: first those of the results' indices, then those of the other dimensions in program order.
    fn order(&self, statements: &[Statement], results: &[usize]) -> FxHashMap<usize, Axis> {
        let mut order = FxHashMap::default();
        let mut add = |root: usize| {
            let next = order.len();
            order.entry(root).or_insert(next);
        };
        for &result in results {
            for expr in &statements[result].write.results {
                if let AffineExpr::Dim(dim) = expr {
                    add(self.find(self.first[result] + *dim as usize));
                }
            }
        }
        (0..self.parent.len()).for_each(|at| add(self.find(at)));
        order
    }
}

/// The name of an axis: `i`, `j`, .. `z`, `a`, .. `h`, `i1`, ..
fn name(axis: Axis) -> String {
    let letter = char::from(b'a' + ((axis + 8) % 26) as u8);
    if axis < 26 { letter.to_string() } else { format!("{letter}{}", axis / 26) }
}

/// The extent of each axis: static if one of its dimensions has a static extent.
fn axis_extents(
    body: &Body,
    args: &[Value],
    statements: &[Statement],
    of_dims: &[Vec<Option<AxisExtent>>],
    axes: usize,
) -> Result<Vec<AxisExtent>, NotAKernel> {
    let mut found: Vec<Option<AxisExtent>> = vec![None; axes];
    let mut set = |axis: Axis, extent: AxisExtent| {
        if found[axis].is_none() || matches!(extent, AxisExtent::Known(_)) {
            found[axis] = Some(extent);
        }
    };
    let ctx = body.context();
    for (statement, extents) in statements.iter().zip(of_dims) {
        // The extents of arguments are preferred, because they are available wherever the buffer is.
        let inits = std::iter::once((statement.init, &statement.write));
        let reads = statement.reads.iter().map(|access| (access.source, &access.map));
        for (source, map) in inits.chain(reads) {
            let Source::Argument(argument) = source else { continue };
            let shape = body.ty(args[argument]).shape(ctx).unwrap_or(&[]);
            for (dim, (expr, &extent)) in map.results.iter().zip(shape).enumerate() {
                let Some(axis) = statement.axis_of(expr) else { continue };
                let of = AxisExtent::Of { argument, dim, plus: 0 };
                set(axis, if extent == DYNAMIC { of } else { AxisExtent::Known(extent) });
            }
        }
        for (&axis, extent) in statement.axes.iter().zip(extents) {
            // An axis that indexes an argument has its extent from there.
            match *extent {
                None | Some(AxisExtent::Of { plus: 0, .. }) => {}
                Some(extent) => set(axis, extent),
            }
        }
    }
    let missing = |axis: Axis| {
        let statement = statements.iter().find(|statement| statement.has_axis(axis));
        let op = statement.map(|statement| statement.op);
        NotAKernel::new(op, "iterates over an extent that no argument has")
    };
    found.into_iter().enumerate().map(|(axis, extent)| extent.ok_or_else(|| missing(axis))).collect()
}
