//! Translation of operations, blocks and regions, outside in and without recursion.

use super::{Translator, string_ref};
use minoan_ir::{Attr, Block, Body, Module, OpRef, Region};
use minoan_services::{InMlir, MlirOp, MlirSequence, MlirValue as InSequence, ToMlir};
use mlir_sys::{
    MlirBlock, MlirLocation, MlirOperation, MlirRegion, MlirValue, mlirBlockAddArgument,
    mlirBlockAppendOwnedOperation, mlirBlockCreate, mlirLocationUnknownGet, mlirOperationCreate,
    mlirOperationGetNumResults, mlirOperationGetRegion, mlirOperationGetResult,
    mlirOperationStateAddAttributes, mlirOperationStateAddOperands, mlirOperationStateAddOwnedRegions,
    mlirOperationStateAddResults, mlirOperationStateAddSuccessors, mlirOperationStateGet,
    mlirRegionAppendOwnedBlock, mlirRegionCreate, mlirRegionGetFirstBlock,
};
use rustc_hash::{FxHashMap, FxHashSet};
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
        let top = holder.op(module.op());
        let top = self.operation(top, <dyn ToMlir>::of(top), 0, &mut scopes, &mut pending);
        while let Some(Pending { body, scope, region, into }) = pending.pop() {
            let order = self.blocks(body, region, into, &mut scopes[scope]);
            for block in order {
                let target = scopes[scope].blocks[&block];
                for op in body.block(block).ops().map(|op| body.op(op)) {
                    let op = match <dyn ToMlir>::of(op) {
                        InMlir::Sequence(sequence) => {
                            self.sequence(op, sequence, target, &mut scopes[scope]);
                            continue;
                        }
                        form => self.operation(op, form, scope, &mut scopes, &mut pending),
                    };
                    if op.ptr.is_null() {
                        continue;
                    }
                    // SAFETY: the operation has no owner yet, and the block is alive in its region.
                    unsafe { mlirBlockAppendOwnedOperation(target, op) };
                }
            }
        }
        self.declare(module, top);
        top
    }

    /// Creates the blocks of a region in order; returns them in an order in which definitions precede uses: depth
    /// first along branches, followed by unreachable ones.
    fn blocks(&mut self, body: &Body, region: Region, into: MlirRegion, scope: &mut Scope) -> Vec<Block> {
        for block in body.region(region).blocks() {
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
        body.region(region).reverse_post_order()
    }

    /// The translated operands of an operation.
    fn operands(&mut self, op: OpRef<'_>, scope: &Scope) -> Vec<MlirValue> {
        let mut operands = Vec::with_capacity(op.n_operands());
        for operand in op.operands() {
            match scope.values[operand.index()] {
                Some(value) => operands.push(value),
                None => {
                    self.report(format!("'{}' uses a value before it is defined", op.name()), op.loc());
                }
            }
        }
        operands
    }

    /// Appends the sequence of an operation to a block.
    fn sequence(&mut self, op: OpRef<'_>, sequence: MlirSequence, into: MlirBlock, scope: &mut Scope) {
        let MlirSequence { ops, unless, results, functions } = sequence;
        let operands = self.operands(op, scope);
        let loc = self.loc(op.loc());
        let mut made: Vec<MlirOperation> = Vec::with_capacity(ops.len());
        let value = |made: &[MlirOperation], value: InSequence| match value {
            InSequence::Operand(index) => operands.get(index).copied(),
            InSequence::Result(at, index) => {
                // SAFETY: the operation is alive in its block.
                made.get(at).filter(|&&op| unsafe { mlirOperationGetNumResults(op) } > index as isize).map(
                    // SAFETY: there is such a result.
                    |&op| unsafe { mlirOperationGetResult(op, index as isize) },
                )
            }
        };
        let is_conditional = unless.is_some();
        let into = match unless.map(|condition| value(&made, condition)) {
            None => into,
            Some(Some(condition)) => self.where_false(condition, loc, into),
            Some(None) => {
                let name = op.name();
                return self.report(format!("'{name}' depends on a condition that does not exist"), op.loc());
            }
        };
        for MlirOp { name, operands: given, results, props } in ops {
            let given: Option<Vec<MlirValue>> = given.iter().map(|&it| value(&made, it)).collect();
            let Some(given) = given else {
                return self.report(format!("'{name}' uses a value that does not exist"), op.loc());
            };
            let (types, attributes) = (self.types(&results), self.entries(props));
            // SAFETY: every pointer and length describes a live slice of entities of this context, which the state copies.
            let created = unsafe {
                let mut state = mlirOperationStateGet(string_ref(name.as_bytes()), loc);
                mlirOperationStateAddOperands(&mut state, given.len() as isize, given.as_ptr());
                mlirOperationStateAddResults(&mut state, types.len() as isize, types.as_ptr());
                mlirOperationStateAddAttributes(&mut state, attributes.len() as isize, attributes.as_ptr());
                mlirOperationCreate(&mut state)
            };
            if created.ptr.is_null() {
                return self.report(format!("MLIR does not know the operation '{name}'"), op.loc());
            }
            // SAFETY: the operation has no owner yet, and the block is alive in its region.
            unsafe { mlirBlockAppendOwnedOperation(into, created) };
            made.push(created);
        }
        if is_conditional {
            self.append(b"scf.yield", loc, &[], &[], into);
        }
        for (result, &from) in op.results().zip(&results) {
            scope.values[result.index()] = value(&made, from);
        }
        for (symbol, ty) in functions {
            self.called.entry(symbol).or_insert(ty);
        }
    }

    /// Appends an `scf.if` to a block; returns the block that is executed if the condition is false, without terminator.
    fn where_false(&self, condition: MlirValue, loc: MlirLocation, into: MlirBlock) -> MlirBlock {
        let [holds, fails] = [(); 2].map(|()| {
            // SAFETY: no arguments are passed, and the block has no owner until the region takes ownership.
            unsafe {
                let (region, block) =
                    (mlirRegionCreate(), mlirBlockCreate(0, std::ptr::null(), std::ptr::null()));
                mlirRegionAppendOwnedBlock(region, block);
                (region, block)
            }
        });
        self.append(b"scf.yield", loc, &[], &[], holds.1);
        self.append(b"scf.if", loc, &[condition], &[holds.0, fails.0], into);
        fails.1
    }

    /// Appends an operation without results and attributes to a block. Takes ownership of the regions.
    fn append(
        &self,
        name: &'static [u8],
        loc: MlirLocation,
        operands: &[MlirValue],
        regions: &[MlirRegion],
        into: MlirBlock,
    ) {
        // SAFETY: every pointer and length describes a live slice of entities of this context; the state takes ownership of the
        // regions, and the block, which is alive, of the operation.
        unsafe {
            let mut state = mlirOperationStateGet(string_ref(name), loc);
            mlirOperationStateAddOperands(&mut state, operands.len() as isize, operands.as_ptr());
            mlirOperationStateAddOwnedRegions(&mut state, regions.len() as isize, regions.as_ptr());
            mlirBlockAppendOwnedOperation(into, mlirOperationCreate(&mut state));
        }
    }

    /// Declares the functions that sequences call and that the module does not have.
    fn declare(&mut self, module: &Module, top: MlirOperation) {
        let called = std::mem::take(&mut self.called);
        if called.is_empty() {
            return;
        }
        let (ctx, body) = (module.context(), module.body());
        let defined: FxHashSet<&str> =
            body.block(module.block()).ops().filter_map(|op| body.op(op).symbol_name()).collect();
        let names = ctx.names();
        // SAFETY: a module has a region with a block.
        let block = unsafe { mlirRegionGetFirstBlock(mlirOperationGetRegion(top, 0)) };
        for (symbol, ty) in called.into_iter().filter(|(symbol, _)| !defined.contains(symbol.as_str())) {
            let props = [
                (names.sym_name, Attr::string(ctx, &symbol)),
                (names.function_type, Attr::ty(ctx, ty)),
                (names.sym_visibility, Attr::string(ctx, "private")),
            ];
            let attributes = self.entries(Attr::dictionary(ctx, &props));
            // SAFETY: the pointers and lengths describe live slices; the state takes ownership of the region, and the block
            // of the operation.
            unsafe {
                let mut state =
                    mlirOperationStateGet(string_ref(b"func.func"), mlirLocationUnknownGet(self.mlir));
                mlirOperationStateAddAttributes(&mut state, attributes.len() as isize, attributes.as_ptr());
                mlirOperationStateAddOwnedRegions(&mut state, 1, [mlirRegionCreate()].as_ptr());
                let declared = mlirOperationCreate(&mut state);
                if !declared.ptr.is_null() {
                    mlirBlockAppendOwnedOperation(block, declared);
                }
            }
        }
    }

    fn operation<'a>(
        &mut self,
        op: OpRef<'a>,
        form: InMlir,
        scope: usize,
        scopes: &mut Vec<Scope>,
        pending: &mut Vec<Pending<'a>>,
    ) -> MlirOperation {
        let operands = self.operands(op, &scopes[scope]);
        let result_types: Vec<_> = op.result_types().collect();
        let results = self.types(&result_types);
        let (name, props, attrs) = match form {
            InMlir::As { name, props, attrs } => (Cow::Owned(name), props, attrs),
            InMlir::Same | InMlir::Sequence(_) | InMlir::Nothing(_) => {
                (Cow::Borrowed(op.name()), op.props(), op.attrs())
            }
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
            // SAFETY: the operation was created with this number of results.
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
            // SAFETY: the operation was created with this number of regions.
            let into = unsafe { mlirOperationGetRegion(made, index as isize) };
            pending.push(Pending { body, scope: inner, region, into });
        }
        made
    }
}
