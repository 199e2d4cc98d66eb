//! Common parts of structured operations: indexing maps, iterator types, inputs and verification.

use crate::{Broadcast, Elementwise, Generic, Map, Reduce, Transpose, elementwise, named};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::text::print_type;
use minoan_ir::{Body, Context, DYNAMIC, Op, OpDef, OpRef, OpSpec, Type, Violation, Violations};
use minoan_services::IteratorType;

/// The number of inputs; the following operands are outputs.
pub(crate) fn n_inputs(op: OpRef<'_>) -> usize {
    if op.is::<Reduce>() { op.n_operands() / 2 } else { op.operand_group(0).len() }
}

/// The indexing maps of an operation, one per operand; `None` if it has no iteration domain.
pub(crate) fn maps(op: OpRef<'_>) -> Option<Vec<AffineMap>> {
    let (body, rank) = (op.body(), output_rank(op)?);
    if let Some(generic) = Generic::cast(body, op.id()) {
        Some(generic.maps(body))
    } else if op.is::<Map>() || op.is::<crate::Fill>() {
        let map =
            |ty: Type| if is_array(op.context(), ty) { AffineMap::identity(rank) } else { scalar(rank) };
        Some(op.operand_types().map(map).collect())
    } else if let Some(reduce) = Reduce::cast(body, op.id()) {
        reduce.maps(body)
    } else if let Some(broadcast) = Broadcast::cast(body, op.id()) {
        broadcast.maps(body)
    } else if let Some(transpose) = Transpose::cast(body, op.id()) {
        transpose.maps(body)
    } else if op.is::<Elementwise>() {
        elementwise::maps(op)
    } else {
        named::maps(op)
    }
}

/// Whether a type is an array type that an operation iterates over. A vector counts as an element.
pub(crate) fn is_array(ctx: &Context, ty: Type) -> bool {
    ty.is_tensor(ctx) || ty.is_memref(ctx)
}

/// The type of the region argument for an operand: the element type of an array, otherwise the type itself.
pub(crate) fn scalar_type(ctx: &Context, ty: Type) -> Type {
    if is_array(ctx, ty) { ty.element_or_self(ctx) } else { ty }
}

/// The extents of an array; none of any other type.
fn extents(ctx: &Context, ty: Type) -> &[i64] {
    if is_array(ctx, ty) { ty.shape(ctx).unwrap_or(&[]) } else { &[] }
}

/// The map of a scalar operand.
fn scalar(dims: u32) -> AffineMap {
    AffineMap::projection(dims, &[])
}

/// The rank of the last operand; 0 if it is not shaped, in which case the verifier reports the maps.
fn output_rank(op: OpRef<'_>) -> Option<u32> {
    op.operand_types().last().map(|ty| ty.rank(op.context()).unwrap_or(0) as u32)
}

/// The iterator types of an operation: dimensions that the outputs do not use are reductions.
pub(crate) fn iterator_types(op: OpRef<'_>) -> Option<Vec<IteratorType>> {
    if op.is::<Generic>() {
        return crate::fusion::declared_iterator_types(op);
    }
    let maps = maps(op)?;
    let outputs = maps.get(n_inputs(op)..)?;
    let is_kept = |dim| outputs.iter().any(|map| map.results.contains(&AffineExpr::Dim(dim)));
    let walk = |dim| if is_kept(dim) { IteratorType::Parallel } else { IteratorType::Reduction };
    Some((0..maps.first()?.dims).map(walk).collect())
}

/// Whether a result depends on the old elements of its output: the region uses their argument, or the iteration domain may be
/// empty, or does not visit all elements.
pub(crate) fn reads_output(op: OpRef<'_>, operand: usize) -> bool {
    let body = op.body();
    let entry = op.own_regions().next().and_then(|region| body.region(region).entry());
    entry.is_none_or(|entry| {
        let entry = body.block(entry);
        operand >= entry.n_args() || body.is_used(entry.arg(operand))
    }) || !overwrites(op, operand)
}

/// Whether each element of an output is written: its map is a permutation of dimensions, and all others have points.
pub(crate) fn overwrites(op: OpRef<'_>, operand: usize) -> bool {
    let Some(maps) = maps(op).filter(|maps| operand < maps.len()) else { return false };
    let mut visited = vec![false; maps[operand].dims as usize];
    for result in &maps[operand].results {
        let AffineExpr::Dim(dim) = result else { return false };
        if std::mem::replace(&mut visited[*dim as usize], true) {
            return false;
        }
    }
    if visited.iter().all(|&visited| visited) {
        return true;
    }
    for (map, ty) in maps.iter().zip(op.operand_types()) {
        for (result, &extent) in map.results.iter().zip(extents(op.context(), ty)) {
            if let AffineExpr::Dim(dim) = result {
                visited[*dim as usize] |= extent > 0;
            }
        }
    }
    visited.into_iter().all(|visited| visited)
}

/// Verifies that outputs and results match, that all operands are tensors or all are buffers, that the extents match
/// the maps, and that the region has an argument for each operand.
pub(crate) fn verify(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let types = verify_destinations(view).and_then(|()| verify_semantics(view));
    let operands = types.map_err(Violation::from).and_then(|()| named::verify_operands(view));
    let outcome = operands.and_then(|()| Ok(verify_shapes(view).and_then(|()| verify_region(view))?));
    if let Err(violation) = outcome {
        errors.push(violation);
    }
}

/// Verifies that each output tensor has a result of the same type.
pub(crate) fn verify_destinations(op: OpRef<'_>) -> Result<(), String> {
    let (ctx, first) = (op.context(), n_inputs(op));
    let mut tensors = Vec::new();
    for (index, ty) in op.operand_types().enumerate().skip(first) {
        if ty.is_tensor(ctx) {
            tensors.push((index, ty));
        } else if !ty.is_memref(ctx) {
            return Err(format!("expected that operand #{index} is a tensor or a memref"));
        }
    }
    let results = op.result_types().filter(|ty| ty.is_tensor(ctx)).count();
    if results != tensors.len() {
        let tensors = tensors.len();
        return Err(format!(
            "expected the number of tensor results ({results}) to be equal to the number of output tensors ({tensors})"
        ));
    }
    for ((index, ty), result) in tensors.into_iter().zip(op.result_types().filter(|ty| ty.is_tensor(ctx))) {
        if ty != result {
            let (ty, result) = (print_type(ctx, ty), print_type(ctx, result));
            return Err(format!(
                "expected type of operand #{index} ('{ty}') to match type of corresponding result ('{result}')"
            ));
        }
    }
    Ok(())
}

fn verify_semantics(op: OpRef<'_>) -> Result<(), String> {
    let ctx = op.context();
    let has = |is: fn(Type, &Context) -> bool| op.operand_types().any(|ty| is(ty, ctx));
    if has(Type::is_tensor) && has(Type::is_memref) {
        return Err("expected to have pure tensor or buffer semantics".to_owned());
    }
    Ok(())
}

/// Verifies the arguments of the region.
fn verify_region(op: OpRef<'_>) -> Result<(), String> {
    let (body, ctx) = (op.body(), op.context());
    let Some(entry) = op.own_regions().next().and_then(|region| body.region(region).entry()) else {
        return Ok(());
    };
    let entry = body.block(entry);
    if entry.n_args() != op.n_operands() {
        return Err(
            "expected as many non-induction variable region arguments as the number of input/output operands"
                .to_owned(),
        );
    }
    for (index, (arg, ty)) in entry.args().zip(op.operand_types()).enumerate() {
        let (have, want) = (body.ty(arg), scalar_type(ctx, ty));
        if have != want {
            let show = |ty| print_type(ctx, ty);
            return Err(format!(
                "expected type of bb argument #{index} ('{}') to match element or self type of the corresponding operand ('{}')",
                show(have),
                show(want)
            ));
        }
    }
    Ok(())
}

/// The declared number of dimensions, if it is not implied by the maps.
fn declared_loops(op: OpRef<'_>) -> Option<usize> {
    let generic = op.cast::<Generic>()?;
    Some(generic.iterator_types(op.body()).len())
}

/// Verifies ranks and extents of the operands against the maps.
fn verify_shapes(op: OpRef<'_>) -> Result<(), String> {
    let ctx = op.context();
    let Some(maps) = maps(op) else { return Ok(()) };
    if maps.len() != op.n_operands() {
        return Err(format!(
            "expected the number of indexing_map ({}) to be equal to the number of input/output operands ({})",
            maps.len(),
            op.n_operands()
        ));
    }
    let types: Vec<Type> = op.operand_types().collect();
    for (index, (map, ty)) in maps.iter().zip(&types).enumerate() {
        if map.symbols > 0 {
            return Err(format!("unexpected symbols in indexing_map #{index}"));
        }
        let rank = extents(ctx, *ty).len();
        if rank != map.results.len() {
            return Err(format!(
                "expected operand #{index} rank ({rank}) to match the result rank of indexing_map ({})",
                map.results.len()
            ));
        }
    }
    // Upstream checks the extents first, over the largest number of dimensions of any map.
    let dims = maps.iter().map(|map| map.dims).max().unwrap_or(0);
    let mut ends = vec![None; dims as usize];
    for (map, &ty) in maps.iter().zip(&types) {
        for (expr, &extent) in map.results.iter().zip(extents(ctx, ty)) {
            if let AffineExpr::Dim(dim) = expr {
                ends[*dim as usize].get_or_insert(extent);
            }
        }
    }
    let Some(ends) = ends.into_iter().collect::<Option<Vec<i64>>>() else {
        let results = maps.iter().flat_map(|map| map.results.iter().cloned()).collect();
        let all = AffineMap { dims, symbols: 0, results };
        return Err(format!("invalid indexing maps are non-invertible: ({all})"));
    };
    if !ends.contains(&DYNAMIC) {
        verify_extents(&maps, &types, &ends, ctx)?;
    }
    let loops = declared_loops(op).or(maps.first().map(|map| map.dims as usize)).unwrap_or(0);
    match maps.iter().position(|map| map.dims as usize != loops) {
        Some(index) => {
            Err(format!("expected indexing_map #{index} to have {loops} dim(s) to match the number of loops"))
        }
        None => Ok(()),
    }
}

/// Verifies that indices are in bounds if all loops have static bounds.
fn verify_extents(maps: &[AffineMap], types: &[Type], ends: &[i64], ctx: &Context) -> Result<(), String> {
    let (first, last) = (vec![0; ends.len()], ends.iter().map(|&end| end - 1).collect::<Vec<i64>>());
    for (index, (map, ty)) in maps.iter().zip(types).enumerate() {
        for (dim, (expr, &have)) in map.results.iter().zip(extents(ctx, *ty)).enumerate() {
            let indices = (expr.evaluate(&first, &[]), expr.evaluate(&last, &[]));
            let (Some(start), Some(end)) = indices else { continue };
            if have == DYNAMIC || have == 0 {
                continue;
            }
            if start.min(end) < 0 {
                return Err(format!("unexpected result less than 0 at expression #{dim} in {map}"));
            }
            let want = start.max(end).saturating_add(1);
            let exact = matches!(expr, AffineExpr::Dim(_));
            if (exact && want != have) || want > have {
                let relation = if exact { "" } else { "greater than or equal to " };
                return Err(format!(
                    "inferred input/output operand #{index} has shape's dimension #{dim} to be {relation}{want}, but found {have}"
                ));
            }
        }
    }
    Ok(())
}

/// The enclosing operation, if it is a structured operation.
fn around<'a>(op: OpRef<'a>) -> Option<OpRef<'a>> {
    let around = op.body().op(op.parent()?);
    (around.name().starts_with("linalg.") && around.n_regions() == 1).then_some(around)
}

/// Verifies that an index refers to a dimension of the enclosing domain.
pub(crate) fn verify_index(body: &Body, op: Op, errors: &mut Violations) {
    let index = crate::Index::from_op_unchecked(op);
    let Some(around) = around(body.op(op)) else {
        return errors.push("expected parent op with LinalgOp interface");
    };
    let dim = index.dim(body);
    // The enclosing operation may be invalid itself, which is reported there.
    let maps = has_required_attrs(around).then(|| maps(around)).flatten();
    let loops = maps.and_then(|maps| maps.first().map(|map| i64::from(map.dims)));
    if let Some(loops) = loops.filter(|&loops| dim >= loops) {
        errors.push(format!(
            "expected dim ({dim}) to be lower than the number of loops ({loops}) of the enclosing LinalgOp"
        ));
    }
}

/// Whether an operation has all mandatory attributes.
fn has_required_attrs(op: OpRef<'_>) -> bool {
    let mandatory = |spec: &OpSpec| {
        let attrs = spec.attrs.iter().filter(|attr| !attr.optional && attr.default.is_none());
        attrs.map(|attr| attr.name).all(|name| op.attr_named(name).is_some())
    };
    op.spec().is_some_and(mandatory)
}

/// Verifies that a terminator yields an element for each output.
pub(crate) fn verify_yield(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(around) = around(view) else {
        return errors.push("expected parent op with LinalgOp interface");
    };
    let outputs: Vec<Type> = around.operand_types().skip(n_inputs(around)).collect();
    if outputs.len() != view.n_operands() {
        return errors.push(format!(
            "expected number of yield values ({}) to match the number of inits / outs operands of the enclosing LinalgOp ({})",
            view.n_operands(),
            outputs.len()
        ));
    }
    for (at, (have, output)) in view.operand_types().zip(outputs).enumerate() {
        let want = scalar_type(ctx, output);
        if have != want {
            return errors.push(format!(
                "type of yield operand {} ('{}') doesn't match the element type of the enclosing linalg.generic op ('{}')",
                at + 1,
                print_type(ctx, have),
                print_type(ctx, want)
            ));
        }
    }
}
