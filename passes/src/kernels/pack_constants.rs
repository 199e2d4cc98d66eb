//! `pack-constants`: packs constant operands of kernels at compile time.
//!
//! Where the plan of a kernel would copy a constant on each call, the constant is replaced by one in the order of the copy:
//! blocks of consecutive indices of the last axis, padded with zeros, which the kernel reads with `floordiv` and `mod`:
//!
//! ```text
//! (i, j, k) -> (j, k)  of  tensor<768x3072xf32>
//! (i, j, k) -> (j floordiv 64, k, j mod 64)  of  tensor<12x3072x64xf32>
//! ```
//!
//! A block has the lanes of a tile, so that its elements are read one after the other. The bytes of a constant are moved without
//! evaluation of elements, in linear time. Weights are constants if they are written in the program or bound (`kc build --bind`).

use crate::analysis::kernels;
use minoan_diag::Diagnostics;
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Attr, AttrData, Body, Builder, InsertionPoint, Op, Type};
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_schedule::{Kernel, Node, Pack, Plan, Source, choose};
use minoan_services::{
    ConstantMaterializer, DomainOps, IterationDomain, KernelOps, KernelParts, MachineModel, constant_of,
};
use rustc_hash::FxHashMap;

/// Packs constant operands of kernels.
pub struct PackConstants;

impl Pass for PackConstants {
    fn name(&self) -> &'static str {
        "pack-constants"
    }

    fn description(&self) -> &'static str {
        "pack constant operands of kernels at compile time"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(KernelOps, DomainOps, IterationDomain, ConstantMaterializer);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let module = run.module_mut();
        let ctx = module.context().clone();
        let (Some(service), Some(makers)) = (<dyn KernelOps>::any(&ctx), <dyn DomainOps>::any(&ctx)) else {
            return Ok(());
        };
        let machine = kernels::machine(module);
        let mut packer = Packer { makers, machine, done: FxHashMap::default() };
        let mut errors = Diagnostics::new();
        kernels::each_function(module, |body| {
            for (op, parts) in kernels::kernels(body, service) {
                if let Err(error) = packer.kernel(body, op, &parts) {
                    errors.append(error);
                }
            }
        });
        if errors.has_errors() { Err(errors) } else { Ok(()) }
    }
}

struct Packer<'c> {
    makers: &'c dyn DomainOps,
    machine: MachineModel,
    /// The packed constants by the constant, the order of its dimensions, and the extent of a block.
    done: FxHashMap<(Attr, Vec<usize>, usize), Attr>,
}

/// A constant to be packed.
struct Found {
    argument: usize,
    statement: Op,
    /// The dimensions in the order of the copy; the last one is split.
    order: Vec<usize>,
    /// The number of indices of the last dimension in a block.
    block: usize,
    constant: Attr,
}

impl Packer<'_> {
    fn kernel(&mut self, body: &mut Body, op: Op, parts: &KernelParts) -> Result<(), Diagnostics> {
        let view = body.op(op);
        let is_large = |argument: usize| {
            let constant = constant_of(body, view.operand(argument))?;
            matches!(constant.data(body.context()), AttrData::DenseElements { splat: false, .. })
                .then_some(constant)
        };
        let constants: Vec<Option<Attr>> = (0..parts.inputs).map(is_large).collect();
        if parts.plan.is_some() || constants.iter().all(Option::is_none) {
            return Ok(());
        }
        // `schedule-kernels` replaces other kernels by their contents.
        let Ok(kernel) = kernels::contents(view, parts) else { return Ok(()) };
        let Some(nested) = view.nested() else { return Ok(()) };
        let is_constant = |argument: usize| constants.get(argument).is_some_and(Option::is_some);
        let plan = choose::choose_packing(&kernel, nested, &self.machine, &is_constant).plan;
        let mut packs = Vec::new();
        find_packs(&plan.nodes, &mut packs);
        let found: Vec<Found> =
            packs.into_iter().filter_map(|pack| find(&kernel, nested, &plan, pack, &constants)).collect();
        for found in found {
            self.replace(body, op, &found);
        }
        Ok(())
    }

    /// Replaces an operand and its argument by the packed constant, and the statement that reads it.
    fn replace(&mut self, body: &mut Body, op: Op, found: &Found) -> Option<()> {
        let ctx = body.context().clone();
        let ty = found.constant.value_type(&ctx)?;
        let element = ty.element(&ctx)?;
        let bits = choose::bits(&ctx, element);
        // The elements of a constant have the size that they have in memory.
        if element.integer_width(&ctx).is_some_and(|width| width != bits) {
            return None;
        }
        let constant = self.packed(&ctx, found, (ty, bits as usize / 8))?;
        let packed = constant.value_type(&ctx)?;
        let state = <dyn ConstantMaterializer>::constant(&ctx, body.op(op).kind(), constant, packed)?;
        // Rewrites the statement first: on failure, nothing has been changed.
        let nested = body.nested_mut(op)?;
        let entry = nested.region(nested.root(0)).entry()?;
        let argument = nested.block(entry).arg(found.argument);
        self.rewrite(nested, found, argument, packed)?;
        let loc = body.op(op).loc();
        let made = Builder::new(body, InsertionPoint::Before(op)).with_loc(loc).create(state);
        let value = body.op(made).result(0);
        body.set_operand(op, found.argument, value);
        Some(())
    }

    fn packed(&mut self, ctx: &minoan_ir::Context, found: &Found, (ty, size): (Type, usize)) -> Option<Attr> {
        let block = found.block;
        let key = (found.constant, found.order.clone(), block);
        if let Some(&done) = self.done.get(&key) {
            return Some(done);
        }
        let AttrData::DenseElements { data, .. } = found.constant.data(ctx) else { return None };
        let extents: Option<Vec<usize>> =
            ty.shape(ctx)?.iter().map(|&extent| usize::try_from(extent).ok()).collect();
        let extents = extents?;
        let (&last, others) = found.order.split_last()?;
        let mut shape = vec![extents[last].div_ceil(block) as i64];
        shape.extend(others.iter().map(|&dim| extents[dim] as i64));
        shape.push(block as i64);
        let data = blocks(data, size, &extents, &found.order, block);
        let ty = Type::tensor(ctx, &shape, ty.element(ctx)?);
        let done = ctx.intern_attr(AttrData::DenseElements { ty, data: data.into(), splat: false });
        self.done.insert(key, done);
        Some(done)
    }

    /// Creates the computation of a statement with the packed argument, which has the type `packed` afterwards.
    fn rewrite(
        &self,
        nested: &mut Body,
        found: &Found,
        argument: minoan_ir::Value,
        packed: Type,
    ) -> Option<()> {
        let ctx = nested.context().clone();
        let op = found.statement;
        let view = nested.op(op);
        let service = ctx.service::<dyn IterationDomain>(view.kind())?;
        let mut domain = service.domain(view)?;
        let operands: Vec<_> = view.operands().collect();
        let out = domain
            .reads
            .iter()
            .position(|read| read.map == domain.writes[0] && read.operand + 1 == operands.len());
        let (out, target) = (out?, *operands.last()?);
        let read = domain.reads.iter_mut().find(|read| operands[read.operand] == argument)?;
        let (&last, others) = found.order.split_last()?;
        let split = |op| {
            AffineExpr::binary(op, read.map.results[last].clone(), AffineExpr::Constant(found.block as i64))
        };
        let mut results = vec![split(AffineOp::FloorDiv)];
        results.extend(others.iter().map(|&dim| read.map.results[dim].clone()));
        results.push(split(AffineOp::Mod));
        read.map = AffineMap { results: results.into(), ..read.map.clone() };
        let ins: Vec<_> = domain
            .reads
            .iter()
            .enumerate()
            .filter(|&(at, _)| at != out)
            .map(|(_, read)| operands[read.operand])
            .collect();
        domain.reads.remove(out);
        let loc = view.loc();
        let unpacked = nested.ty(argument);
        nested.set_type(argument, packed);
        let mut b = Builder::new(nested, InsertionPoint::Before(op)).with_loc(loc);
        let made = self.makers.make(&mut b, &domain, &ins, &[target], &mut |b, elements, index| {
            // `elements` ends with the element of the output; `compute` expects it at position `out`.
            let mut ordered = elements.to_vec();
            let accumulator = ordered.pop();
            ordered.splice(out..out, accumulator);
            service.compute(b, op, &ordered, index)
        });
        let Some(made) = made else {
            nested.set_type(argument, unpacked);
            return None;
        };
        let results: Vec<_> = nested.op(made).results().collect();
        nested.replace(op, &results);
        Some(())
    }
}

fn find_packs<'p>(nodes: &'p [Node], found: &mut Vec<&'p Pack>) {
    for node in nodes {
        match node {
            Node::Loop(inner) => find_packs(&inner.body, found),
            Node::Pack(pack) => found.push(pack),
            Node::Leaf(_) | Node::Prefetch(_) => {}
        }
    }
}

/// The constant that a plan copies, if it has no other readers in the kernel.
fn find(
    kernel: &Kernel,
    nested: &Body,
    plan: &Plan,
    pack: &Pack,
    constants: &[Option<Attr>],
) -> Option<Found> {
    let statement = &kernel.statements[kernel.statement(&pack.statement)?];
    statement.reduction?;
    let access = statement.reads.get(pack.operand)?;
    let Source::Argument(argument) = access.source else { return None };
    let constant = (*constants.get(argument)?)?;
    if access.outside.is_some() || nested.uses(kernel.args[argument]).count() != 1 {
        return None;
    }
    let axes = access.map.results.iter().map(|expr| statement.axis_of(expr));
    let axes: Vec<usize> = axes.collect::<Option<_>>()?;
    let wanted = pack.axes.iter().map(|name| kernel.axis(name));
    let order = wanted.map(|axis| axes.iter().position(|&other| Some(other) == axis));
    let order: Vec<usize> = order.collect::<Option<_>>()?;
    let leaves = plan.leaves();
    let (_, leaf) = leaves.iter().find(|(_, leaf)| leaf.statement == pack.statement)?;
    let lanes = leaf.tile.iter().find(|dim| dim.lanes && Some(&dim.axis) == pack.axes.last())?.size;
    let block = usize::try_from(lanes).ok().filter(|&lanes| lanes > 0)?;
    (order.len() == axes.len()).then_some(Found { argument, statement: statement.op, order, block, constant })
}

/// The elements, of `size` bytes each, of a row-major array in blocks along the last dimension of `order`: block, other
/// dimensions, element of the block. Elements beyond the end are zero.
fn blocks(data: &[u8], size: usize, extents: &[usize], order: &[usize], block: usize) -> Vec<u8> {
    let mut strides = vec![size; extents.len()];
    for dim in (1..extents.len()).rev() {
        strides[dim - 1] = strides[dim] * extents[dim];
    }
    let Some((&last, others)) = order.split_last() else { return data.to_vec() };
    let count = extents[last].div_ceil(block);
    let rows: usize = others.iter().map(|&dim| extents[dim]).product();
    let mut packed = vec![0; count * rows * block * size];
    let mut to = packed.chunks_exact_mut(block * size);
    for first in (0..count).map(|at| at * block) {
        let filled = block.min(extents[last] - first);
        let mut at = vec![0; others.len()];
        for row in to.by_ref().take(rows) {
            let outer: usize = others.iter().zip(&at).map(|(&dim, &index)| strides[dim] * index).sum();
            for (lane, element) in row.chunks_exact_mut(size).take(filled).enumerate() {
                let from = outer + (first + lane) * strides[last];
                element.copy_from_slice(&data[from..from + size]);
            }
            for (index, &dim) in at.iter_mut().zip(others).rev() {
                *index += 1;
                if *index < extents[dim] {
                    break;
                }
                *index = 0;
            }
        }
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn blocks_of_a_transposed_matrix_are_padded() {
        // Three rows of two elements; the rows become lanes, two to a block.
        assert_eq!(blocks(&[1, 2, 3, 4, 5, 6], 1, &[3, 2], &[1, 0], 2), [1, 3, 2, 4, 5, 0, 6, 0]);
        // Elements of two bytes stay together.
        assert_eq!(blocks(&[1, 0, 2, 0, 3, 0, 4, 0], 2, &[2, 2], &[1, 0], 2), [1, 0, 3, 0, 2, 0, 4, 0]);
        assert!(blocks(&[], 4, &[0, 2], &[1, 0], 2).is_empty());
    }
}
