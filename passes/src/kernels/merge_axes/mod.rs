//! `merge-axes`: merges adjacent axes of kernels that are contiguous in all of their tensors.
//!
//! Two axes are merged if every access of the kernel to a tensor has both of them in two dimensions that follow
//! each other, or neither. The tensors are reshaped around the kernel:
//!
//! ```text
//! (o, h, w, c) -> (c, h, w)  of  tensor<512x7x7xf32>
//! (o, hw, c)   -> (c, hw)    of  tensor<512x49xf32>
//! ```
//!
//! A convolution without windows is a product of matrices then, a computation of whole tensors has a single loop, and lanes are
//! not cut at the end of each row. An axis with one index is first removed from sums, such as the indices of windows of one
//! element.
//!
//! A kernel with a plan is not changed, since the plan names its axes; nor is a kernel that computes with the indices of these
//! axes.

mod accesses;

use crate::analysis::kernels;
use accesses::{Access, Followers, accesses, followers, merged_tensors, merges_dims, without_units};
use minoan_diag::Diagnostics;
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{
    Body, Builder, Context, DYNAMIC, InsertionPoint, Op, OpRef, OpState, Traits, Type, Use, Value,
};
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_schedule::{Axis, Kernel, Source, Statement};
use minoan_services::{
    Alias, AliasModel, Domain, DomainOps, Extent, IndexOps, IterationDomain, KernelOps, KernelParts, Read,
    TensorOps, collapsed_extent,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Merges axes of kernels.
pub struct MergeAxes;

impl Pass for MergeAxes {
    fn name(&self) -> &'static str {
        "merge-axes"
    }

    fn description(&self) -> &'static str {
        "merge adjacent axes of kernels that are contiguous in all tensors"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(KernelOps, IterationDomain, AliasModel, DomainOps, IndexOps, TensorOps);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-merged", "Number of axes merged with the one before them")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let module = run.module_mut();
        let ctx = module.context().clone();
        let Some(service) = <dyn KernelOps>::any(&ctx) else { return Ok(()) };
        let Some(merger) = Merger::of(&ctx) else { return Ok(()) };
        let (mut merged, mut errors) = (0, Diagnostics::new());
        kernels::each_function(module, |body| {
            for (op, parts) in kernels::kernels(body, service) {
                match merger.kernel(body, op, &parts) {
                    Ok(axes) => merged += axes,
                    Err(error) => errors.append(error),
                }
            }
        });
        run.count("num-merged", merged);
        if errors.has_errors() { Err(errors) } else { Ok(()) }
    }
}

struct Merger<'c> {
    ctx: &'c Context,
    domains: &'c dyn DomainOps,
    tensors: &'c dyn TensorOps,
    index: &'c dyn IndexOps,
}

impl<'c> Merger<'c> {
    fn of(ctx: &'c Context) -> Option<Self> {
        let (domains, tensors) = (<dyn DomainOps>::any(ctx)?, <dyn TensorOps>::any(ctx)?);
        Some(Self { ctx, domains, tensors, index: <dyn IndexOps>::any(ctx)? })
    }

    /// Merges the axes of a kernel; returns the number of axes that were merged into another one.
    fn kernel(&self, body: &mut Body, op: Op, parts: &KernelParts) -> Result<u64, Diagnostics> {
        if parts.plan.is_some() {
            return Ok(0);
        }
        let view = body.op(op);
        // `schedule-kernels` replaces other kernels by their contents.
        let Ok(kernel) = kernels::contents(view, parts) else { return Ok(0) };
        // On buffers, kernels have no results.
        if view.n_results() != kernel.results.len() {
            return Ok(0);
        }
        let Some(nested) = view.nested() else { return Ok(0) };
        let accesses = accesses(&kernel, nested, self.ctx);
        let mut followers = followers(&kernel, &accesses);
        followers.retain(|&axis, &mut next| {
            kernel.statements.iter().all(|statement| merges_dims(&kernel, statement, axis, next))
        });
        if followers.is_empty() {
            return Ok(0);
        }
        let Some(tensors) = merged_tensors(&kernel, &accesses, &followers) else { return Ok(0) };
        if !self.is_possible(body, op, &kernel, &followers, &tensors) {
            return Ok(0);
        }
        let Some(nested) = body.nested_mut(op) else { return Ok(0) };
        if !self.indices_are_unused(nested, &kernel, &followers) {
            return Ok(0);
        }
        self.rewrite(body, op, &kernel, &followers, &tensors);
        Ok(followers.len() as u64)
    }

    /// Whether all that uses a tensor to be reshaped are statements over merged axes, and its operand may be reshaped.
    fn is_possible(
        &self,
        body: &Body,
        op: Op,
        kernel: &Kernel,
        followers: &Followers,
        tensors: &FxHashMap<Source, Vec<bool>>,
    ) -> bool {
        let view = body.op(op);
        let Some(nested) = view.nested() else { return false };
        let touched = kernel.statements.iter().filter(|statement| has_merged(statement, followers));
        let statements: FxHashSet<Op> = touched.map(|statement| statement.op).collect();
        let is_known =
            |place: Use| statements.contains(&place.op) || nested.op(place.op).has_trait(Traits::TERMINATOR);
        let only_known = |value: Value| nested.uses(value).all(is_known);
        let sources = tensors.iter().filter(|(_, merged)| merged.contains(&true));
        let mut sources = sources.map(|(&source, _)| source);
        sources.all(|source| match source {
            Source::Argument(at) => only_known(kernel.args[at]) && !is_part(body, view.operand(at)),
            Source::Statement(at) => only_known(nested.op(kernel.statements[at].op).result(0)),
            Source::Scalar(_) | Source::Undefined => true,
        }) && kernel.statements.iter().all(|statement| {
            let domain = || self.merged(kernel, statement, &form(nested.op(statement.op))?, followers);
            !has_merged(statement, followers) || domain().is_some()
        })
    }

    /// Whether no statement computes with the index of a merged axis.
    fn indices_are_unused(&self, nested: &mut Body, kernel: &Kernel, followers: &Followers) -> bool {
        let followed: FxHashSet<Axis> = followers.iter().flat_map(|(&axis, &next)| [axis, next]).collect();
        kernel.statements.iter().all(|statement| {
            if !statement.axes.iter().any(|axis| followed.contains(axis)) {
                return true;
            }
            let Some(service) = self.ctx.service::<dyn IterationDomain>(nested.op(statement.op).kind())
            else {
                return false;
            };
            let types: Vec<Type> = statement
                .reads
                .iter()
                .map(|read| read.element)
                .chain(statement.axes.iter().map(|_| Type::INDEX))
                .collect();
            let mut b = Builder::new(nested, InsertionPoint::Before(statement.op));
            let holder = b.create(OpState::named(self.ctx, "scratch.scalars").regions(1));
            let (block, outside) = b.enter(holder, 0, &types);
            let args: Vec<Value> = b.body().block(block).args().collect();
            let (elements, indices) = args.split_at(statement.reads.len());
            let mut is_unused = true;
            service.compute(&mut b, statement.op, elements, &mut |_, dim| {
                let axis = statement.axes.get(dim as usize);
                is_unused &= axis.is_some_and(|axis| !followed.contains(axis));
                indices[dim as usize]
            });
            b.set_insertion_point(outside);
            nested.erase(holder);
            is_unused
        })
    }

    fn rewrite(
        &self,
        body: &mut Body,
        op: Op,
        kernel: &Kernel,
        followers: &Followers,
        tensors: &FxHashMap<Source, Vec<bool>>,
    ) {
        let loc = body.op(op).loc();
        // Determined before types change, since the domains of some operations depend on these.
        let nested = body.op(op).nested();
        let forms: Vec<Option<Form>> = kernel
            .statements
            .iter()
            .map(|statement| nested.and_then(|nested| form(nested.op(statement.op))))
            .collect();
        let mut sizes_of_outputs = Vec::new();
        for at in 0..kernel.args.len() {
            let merged = tensors.get(&Source::Argument(at)).filter(|merged| merged.contains(&true));
            let Some(merged) = merged else { continue };
            let value = body.op(op).operand(at);
            let mut b = Builder::new(body, InsertionPoint::Before(op)).with_loc(loc);
            let sizes_of_empty = self.sizes_of_empty(b.body(), value);
            let reshaped = match &sizes_of_empty {
                Some(sizes) => {
                    let ty = b.ty(value);
                    let sizes = self.merged_sizes(&mut b, ty, merged, sizes);
                    self.tensors.empty(&mut b, merged_type(self.ctx, ty, merged), &sizes)
                }
                None => self.tensors.collapse(&mut b, value, &groups(merged)),
            };
            if let Some(output) = at.checked_sub(kernel.inputs) {
                let sizes = sizes_of_empty.unwrap_or_else(|| self.dynamic_extents(&mut b, value));
                sizes_of_outputs.push((output, sizes));
            }
            let ty = body.ty(reshaped);
            body.set_operand(op, at, reshaped);
            if let Some(nested) = body.nested_mut(op) {
                nested.set_type(kernel.args[at], ty);
            }
        }
        if let Some(nested) = body.nested_mut(op) {
            for (statement, form) in kernel.statements.iter().zip(&forms) {
                if let Some(form) = form.as_ref().filter(|_| has_merged(statement, followers)) {
                    self.statement(nested, kernel, statement, form, followers);
                }
            }
        }
        for (output, &number) in kernel.results.iter().enumerate() {
            let merged = tensors.get(&Source::Statement(number)).filter(|merged| merged.contains(&true));
            let Some(merged) = merged else { continue };
            let result = body.op(op).result(output);
            let old = body.ty(result);
            body.set_type(result, merged_type(self.ctx, old, merged));
            let uses: Vec<Use> = body.uses(result).collect();
            let mut b = Builder::new(body, InsertionPoint::After(op)).with_loc(loc);
            let sizes = sizes_of_outputs.iter().find(|(other, _)| *other == output);
            let sizes = sizes.map_or(&[][..], |(_, sizes)| sizes);
            let expanded = self.tensors.expand(&mut b, result, &groups(merged), old, sizes);
            uses.into_iter().for_each(|place| body.set_operand(place.op, place.index, expanded));
        }
    }

    /// The domain of a statement over the merged axes, without its old elements, and the new number of each dimension that
    /// remains. `None` if a dimension indexes no tensor by itself, as those of the windows of a pooling: only the operation
    /// knows its extent.
    fn merged(
        &self,
        kernel: &Kernel,
        statement: &Statement,
        form: &Form,
        followers: &Followers,
    ) -> Option<(Domain, Vec<AffineExpr>)> {
        let &Form { ref domain, out, ref types } = form;
        let followed: FxHashSet<Axis> = followers.values().copied().collect();
        let (mut numbers, mut kept) = (Vec::new(), Vec::new());
        for (dim, axis) in statement.axes.iter().enumerate() {
            numbers.push(AffineExpr::Dim(kept.len() as u32));
            if !followed.contains(axis) {
                kept.push(dim);
            }
        }
        let map = |map: &AffineMap, operand: usize| {
            let shape = types[operand].shape(self.ctx).unwrap_or(&[]);
            let indices = without_units(kernel, statement, map, shape);
            let is_kept =
                |expr: &&AffineExpr| statement.axis_of(expr).is_none_or(|axis| !followed.contains(&axis));
            let results = indices.iter().filter(is_kept).filter_map(|expr| expr.substitute(&numbers));
            AffineMap { dims: kept.len() as u32, symbols: map.symbols, results: results.collect() }
        };
        let extent = |&dim: &usize| {
            let mut axis = statement.axes[dim];
            let mut extent = kernel.known_extent(axis)?;
            while let Some(&next) = followers.get(&axis) {
                extent = extent.checked_mul(kernel.known_extent(next)?)?;
                axis = next;
            }
            Some(Extent::Known(extent))
        };
        let reads = domain.reads.iter().filter(|read| read.operand != out).enumerate();
        let new = Domain {
            iterator_types: kept.iter().map(|&dim| domain.iterator_types[dim]).collect(),
            extents: kept.iter().map(|dim| extent(dim).unwrap_or(domain.extents[*dim])).collect(),
            reads: reads.map(|(at, read)| Read::new(at, map(&read.map, read.operand))).collect(),
            writes: domain.writes.iter().map(|write| map(write, out)).collect(),
        };
        let maps = || new.reads.iter().map(|read| &read.map).chain(&new.writes);
        let is_index = |dim: u32| maps().any(|map| map.results.contains(&AffineExpr::Dim(dim)));
        (0..kept.len() as u32).all(is_index).then_some((new, numbers))
    }

    /// The dynamic extents of a tensor.
    fn dynamic_extents(&self, b: &mut Builder<'_>, tensor: Value) -> Vec<Value> {
        let shape = b.ty(tensor).shape(self.ctx).unwrap_or(&[]).iter().enumerate();
        let dynamic = shape.filter(|&(_, &extent)| extent == DYNAMIC);
        dynamic.map(|(dim, _)| self.tensors.extent(b, tensor, dim)).collect()
    }

    /// The dynamic extents of the tensor with merged dimensions, of the dynamic extents of a tensor of type `ty`.
    fn merged_sizes(&self, b: &mut Builder<'_>, ty: Type, merged: &[bool], sizes: &[Value]) -> Vec<Value> {
        let (shape, mut sizes) = (ty.shape(self.ctx).unwrap_or(&[]), sizes.iter().copied());
        let mut all = Vec::new();
        for group in groups(merged) {
            let (mut known, mut product) = (1i64, None);
            for &dim in &group {
                match shape[dim as usize] {
                    DYNAMIC => {
                        let size = sizes.next();
                        product = match (product, size) {
                            (Some(product), Some(size)) => Some(self.index.mul(b, product, size)),
                            (product, size) => product.or(size),
                        };
                    }
                    extent => known = known.saturating_mul(extent),
                }
            }
            if let Some(product) = product {
                all.push(match known {
                    1 => product,
                    known => {
                        let known = self.index.index(b, known);
                        self.index.mul(b, product, known)
                    }
                });
            }
        }
        all
    }

    /// The dynamic extents of a tensor with arbitrary elements; `None` for any other tensor.
    fn sizes_of_empty(&self, body: &Body, value: Value) -> Option<Vec<Value>> {
        let def = body.op(body.defining_op(value)?);
        self.tensors.is_empty(def).then(|| def.operands().collect())
    }

    /// Replaces a statement by one over the merged axes.
    fn statement(
        &self,
        nested: &mut Body,
        kernel: &Kernel,
        statement: &Statement,
        form: &Form,
        followers: &Followers,
    ) {
        let view = nested.op(statement.op);
        let &Form { ref domain, out, .. } = form;
        let Some(service) = self.ctx.service::<dyn IterationDomain>(view.kind()) else { return };
        let Some((new, numbers)) = self.merged(kernel, statement, form, followers) else { return };
        let operands: Vec<Value> = view.operands().collect();
        let loc = view.loc();
        let mut target = operands[out];
        let ty = nested.ty(target);
        if let Some(sizes) = self.sizes_of_empty(nested, target) {
            let shape_of = Access {
                statement,
                source: Source::Undefined,
                indices: statement.write.results.to_vec(),
                shape: Vec::new(),
            };
            let merged = shape_of.merged(followers);
            let mut b = Builder::new(nested, InsertionPoint::Before(statement.op)).with_loc(loc);
            let sizes = self.merged_sizes(&mut b, ty, &merged, &sizes);
            target = self.tensors.empty(&mut b, merged_type(self.ctx, ty, &merged), &sizes);
        }
        let reads = domain.reads.iter().filter(|read| read.operand != out);
        let ins: Vec<Value> = reads.map(|read| operands[read.operand]).collect();
        let mut b = Builder::new(nested, InsertionPoint::Before(statement.op)).with_loc(loc);
        let made = self.domains.make(&mut b, &new, &ins, &[target], &mut |b, elements, index| {
            let mut inputs = elements.iter().copied();
            let old = elements.last().copied();
            let given: Vec<Value> = domain
                .reads
                .iter()
                .filter_map(|read| if read.operand == out { old } else { inputs.next() })
                .collect();
            service.compute(b, statement.op, &given, &mut |b, dim| {
                let number = match numbers[dim as usize] {
                    AffineExpr::Dim(number) => number,
                    _ => 0,
                };
                index(b, number)
            })
        });
        let made = made.expect("every dimension that remains indexes a tensor");
        let results: Vec<Value> = nested.op(made).results().collect();
        nested.replace(statement.op, &results);
    }
}

/// An operation that computes one tensor as an update of an operand.
struct Form {
    domain: Domain,
    /// The number of the operand.
    out: usize,
    /// The types of all operands.
    types: Vec<Type>,
}

fn form(op: OpRef<'_>) -> Option<Form> {
    let domain = op.context().service::<dyn IterationDomain>(op.kind())?.domain(op)?;
    let alias = op.context().service::<dyn AliasModel>(op.kind())?.alias(op, 0);
    let Alias::UpdateOf(out) = alias else { return None };
    let is_plain = op.n_results() == 1 && domain.writes.len() == 1 && !domain.has_padding();
    is_plain.then(|| Form { domain, out, types: op.operand_types().collect() })
}

/// Whether axes of a statement are merged.
fn has_merged(statement: &Statement, followers: &Followers) -> bool {
    statement.axes.iter().any(|axis| followers.contains_key(axis))
}

/// The dimensions that are merged to each dimension.
fn groups(merged: &[bool]) -> Vec<Vec<i64>> {
    let mut groups: Vec<Vec<i64>> = Vec::new();
    for (dim, &joins) in merged.iter().enumerate() {
        match groups.last_mut().filter(|_| joins) {
            Some(group) => group.push(dim as i64),
            None => groups.push(vec![dim as i64]),
        }
    }
    groups
}

/// The type of a tensor with merged dimensions.
fn merged_type(ctx: &Context, ty: Type, merged: &[bool]) -> Type {
    let shape = ty.shape(ctx).unwrap_or(&[]);
    let shape: Vec<i64> = groups(merged).iter().map(|group| collapsed_extent(shape, group)).collect();
    Type::tensor(ctx, &shape, ty.element_or_self(ctx))
}

/// Whether a value may be a view of a part of another tensor, which a kernel reads in place and a reshape would copy.
fn is_part(body: &Body, value: Value) -> bool {
    let def = body.defining_op(value).map(|op| body.op(op));
    def.and_then(|op| Some(op.context().service::<dyn AliasModel>(op.kind())?.alias(op, 0)))
        .is_some_and(|alias| matches!(alias, Alias::MayViewOf(_)))
}
