//! Translation of operations, blocks and regions, outside in and without recursion.

use super::{Translator, string_ref};
use minoan_ir::{Block, Body, Module, OpRef, Region};
use minoan_services::{InMlir, ToMlir};
use mlir_sys::{
    MlirBlock, MlirOperation, MlirRegion, MlirValue, mlirBlockAddArgument, mlirBlockAppendOwnedOperation,
    mlirBlockCreate, mlirOperationCreate, mlirOperationGetRegion, mlirOperationGetResult,
    mlirOperationStateAddAttributes, mlirOperationStateAddOperands, mlirOperationStateAddOwnedRegions,
    mlirOperationStateAddResults, mlirOperationStateAddSuccessors, mlirOperationStateGet,
    mlirRegionAppendOwnedBlock, mlirRegionCreate,
};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The values and blocks of one body, indexed by their ids, which are local to the body.
struct Scope {
    values: Vec<Option<MlirValue>>,
    blocks: FxHashMap<Block, MlirBlock>,
}

impl Scope {
    fn of(body: &Body) -> Self {
        Self { values: vec![None; body.value_capacity()], blocks: FxHashMap::default() }
    }
}

/// A region to translate.
struct Pending<'a> {
    body: &'a Body,
    /// The index of the body's scope.
    scope: usize,
    region: Region,
    into: MlirRegion,
}

impl Translator<'_> {
    /// Translates the top-level operation with everything in it. Errors are recorded in `self.errors`.
    pub(super) fn top(&mut self, module: &Module) -> MlirOperation {
        let holder = module.holder();
        let mut scopes = vec![Scope::of(holder)];
        let mut pending = Vec::new();
        let top = self.operation(holder.op(module.op()), 0, &mut scopes, &mut pending);
        while let Some(Pending { body, scope, region, into }) = pending.pop() {
            let order = self.blocks(body, region, into, &mut scopes[scope]);
            for block in order {
                let target = scopes[scope].blocks[&block];
                for op in body.block(block).ops() {
                    let op = self.operation(body.op(op), scope, &mut scopes, &mut pending);
                    if op.ptr.is_null() {
                        continue;
                    }
                    // SAFETY: the operation has no owner yet, and the block is alive in its region.
                    unsafe { mlirBlockAppendOwnedOperation(target, op) };
                }
            }
        }
        top
    }

    /// Creates the blocks of a region in order; returns them in an order in which definitions precede uses: depth
    /// first along branches, followed by unreachable ones.
    fn blocks(&mut self, body: &Body, region: Region, into: MlirRegion, scope: &mut Scope) -> Vec<Block> {
        let all: Vec<Block> = body.region(region).blocks().collect();
        for &block in &all {
            let view = body.block(block);
            // SAFETY: no arguments are passed.
            let made = unsafe { mlirBlockCreate(0, std::ptr::null(), std::ptr::null()) };
            for arg in view.args() {
                let (ty, loc) = (self.ty(body.ty(arg)), self.loc(body.value_loc(arg)));
                // SAFETY: type and location belong to this context.
                scope.values[arg.index()] = Some(unsafe { mlirBlockAddArgument(made, ty, loc) });
            }
            // SAFETY: the block has no owner yet.
            unsafe { mlirRegionAppendOwnedBlock(into, made) };
            scope.blocks.insert(block, made);
        }
        reverse_post_order(body, &all)
    }

    fn operation<'a>(
        &mut self,
        op: OpRef<'a>,
        scope: usize,
        scopes: &mut Vec<Scope>,
        pending: &mut Vec<Pending<'a>>,
    ) -> MlirOperation {
        let mut operands = Vec::with_capacity(op.n_operands());
        for operand in op.operands() {
            match scopes[scope].values[operand.index()] {
                Some(value) => operands.push(value),
                None => {
                    self.report(format!("'{}' uses a value before it is defined", op.name()), op.loc());
                }
            }
        }
        let result_types: Vec<_> = op.result_types().collect();
        let results = self.types(&result_types);
        let (name, props, attrs) = match <dyn ToMlir>::of(op) {
            InMlir::As { name, props, attrs } => (Cow::Owned(name), props, attrs),
            InMlir::Same | InMlir::Nothing(_) => (Cow::Borrowed(op.name()), op.props(), op.attrs()),
        };
        let mut attributes = self.entries(props);
        attributes.extend(self.entries(attrs));
        let successors: Vec<MlirBlock> =
            op.successors().filter_map(|block| scopes[scope].blocks.get(&block).copied()).collect();
        // SAFETY: regions without blocks have no owner until the state takes ownership.
        let regions: Vec<MlirRegion> = (0..op.n_regions()).map(|_| unsafe { mlirRegionCreate() }).collect();
        let loc = self.loc(op.loc());
        // SAFETY: every pointer and length describes a live slice of entities of this context; the state copies the
        // slices and takes ownership of the regions.
        let made = unsafe {
            let mut state = mlirOperationStateGet(string_ref(name.as_bytes()), loc);
            mlirOperationStateAddOperands(&mut state, operands.len() as isize, operands.as_ptr());
            mlirOperationStateAddResults(&mut state, results.len() as isize, results.as_ptr());
            mlirOperationStateAddAttributes(&mut state, attributes.len() as isize, attributes.as_ptr());
            mlirOperationStateAddSuccessors(&mut state, successors.len() as isize, successors.as_ptr());
            mlirOperationStateAddOwnedRegions(&mut state, regions.len() as isize, regions.as_ptr());
            mlirOperationCreate(&mut state)
        };
        if made.ptr.is_null() {
            self.report(format!("MLIR does not know the operation '{name}'"), op.loc());
            return made;
        }
        for (index, result) in op.results().enumerate() {
            // SAFETY: the operation was created with as many results.
            scopes[scope].values[result.index()] =
                Some(unsafe { mlirOperationGetResult(made, index as isize) });
        }
        let (body, inside) = op.inside();
        let inner = match op.nested() {
            Some(_) => {
                scopes.push(Scope::of(body));
                scopes.len() - 1
            }
            None => scope,
        };
        for (index, region) in inside.into_iter().enumerate() {
            // SAFETY: the operation was created with as many regions.
            let into = unsafe { mlirOperationGetRegion(made, index as isize) };
            pending.push(Pending { body, scope: inner, region, into });
        }
        made
    }
}

/// The blocks in an order in which each follows those that dominate it.
fn reverse_post_order(body: &Body, all: &[Block]) -> Vec<Block> {
    if all.len() < 2 {
        return all.to_vec();
    }
    let mut seen: FxHashMap<Block, ()> = FxHashMap::default();
    let mut order = Vec::with_capacity(all.len());
    for &root in all {
        let mut part = Vec::new();
        let mut stack = vec![(root, false)];
        while let Some((block, done)) = stack.pop() {
            if done {
                part.push(block);
            } else if seen.insert(block, ()).is_none() {
                stack.push((block, true));
                stack.extend(body.block(block).successors().into_iter().map(|next| (next, false)));
            }
        }
        order.extend(part.into_iter().rev());
    }
    order
}
