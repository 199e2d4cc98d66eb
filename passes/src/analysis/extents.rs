//! Equality of extents, also through loops and conditionals.

use minoan_ir::{Body, Builder, Context, DYNAMIC, Def, Op, OpRef, ServiceTable, Traits, Value};
use minoan_services::{
    Extent, ExtentOf, IndexOps, LoopLike, RegionExecution, RegionFlow, RegionSuccessor, TensorOps,
    constant_of,
};
use rustc_hash::FxHashMap;

/// The extent of a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Size {
    Known(i64),
    Value(Value),
}

impl Size {
    /// The extent that is a value; a negative constant remains a value.
    pub(crate) fn of(body: &Body, value: Value) -> Size {
        let known = constant_of(body, value).and_then(|attr| attr.as_i64(body.context()));
        known.filter(|&size| size >= 0).map_or(Size::Value(value), Size::Known)
    }
}

/// A name of an extent: equal names mean equal extents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    Known(i64),
    /// The extent of a dimension of a tensor of unknown origin.
    Of(Value, usize),
    Value(Value),
}

impl Key {
    /// Whether the value or the tensor is still in the body.
    fn exists(self, body: &Body) -> bool {
        match self {
            Key::Known(_) => true,
            Key::Of(value, _) | Key::Value(value) => body.contains_value(value),
        }
    }
}

/// Upper bound on the number of operations between a tensor and the origin of its extents.
const STEPS: usize = 256;

/// The names of extents.
pub(crate) struct Extents<'c> {
    table: Option<&'c ServiceTable<dyn ExtentOf>>,
    flows: Option<&'c ServiceTable<dyn RegionFlow>>,
    /// The extents of region arguments and results that [`follow_regions`](Self::follow_regions) found.
    pub known: FxHashMap<(Value, usize), Key>,
}

impl<'c> Extents<'c> {
    pub(crate) fn new(ctx: &'c Context) -> Self {
        Self { table: ctx.service_table(), flows: ctx.service_table(), known: FxHashMap::default() }
    }

    /// Determines which extents the loops and conditionals of a body preserve. By induction, an input of a region, or a result,
    /// has the extent of a tensor from before the operation if every value forwarded to it has that extent.
    pub(crate) fn follow_regions(&mut self, body: &Body) {
        self.follow_ops(body, body.walk());
    }

    /// The same for an operation and those in its regions only.
    pub(crate) fn follow_regions_of(&mut self, body: &Body, op: Op) {
        let mut ops = vec![op];
        let mut at = 0;
        while at < ops.len() {
            let regions = body.op(ops[at]).own_regions();
            let inner = regions
                .flat_map(|region| body.region(region).blocks())
                .flat_map(|block| body.block(block).ops());
            ops.extend(inner);
            at += 1;
        }
        self.follow_ops(body, ops);
    }

    /// The operations in `ops`, outer ones first.
    fn follow_ops(&mut self, body: &Body, mut ops: Vec<Op>) {
        let Some(flows) = self.flows else { return };
        ops.retain(|&op| flows.get(body.op(op).kind()).is_some());
        follow(body, flows, &ops, self);
        // An extent that changes in an outer loop may be invariant in an inner one.
        for op in ops.into_iter().rev() {
            follow(body, flows, &[op], self);
        }
    }

    /// The tensor and the dimension whose extent an operation computes.
    pub(crate) fn dimension(&self, body: &Body, op: Op) -> Option<(Value, usize)> {
        let view = body.op(op);
        self.table?.get(view.kind())?.dimension(view)
    }

    /// The name of an extent that is a value.
    pub(crate) fn of_value(&self, body: &Body, value: Value) -> Key {
        self.resolve(body, Key::Value(value))
    }

    /// The name of an extent.
    pub(crate) fn of_size(&self, body: &Body, size: Size) -> Key {
        match size {
            Size::Known(size) => Key::Known(size),
            Size::Value(value) => self.of_value(body, value),
        }
    }

    /// The name of the extent of a dimension of a tensor.
    pub(crate) fn of_dim(&self, body: &Body, tensor: Value, dim: usize) -> Key {
        self.resolve(body, Key::Of(tensor, dim))
    }

    fn resolve(&self, body: &Body, mut key: Key) -> Key {
        for _ in 0..STEPS {
            let origin = match key {
                Key::Known(_) => None,
                Key::Value(value) => self.origin_of_value(body, value),
                Key::Of(tensor, dim) => self.origin_of_dim(body, tensor, dim),
            };
            match origin {
                Some(origin) => key = origin,
                None => break,
            }
        }
        key
    }

    fn origin_of_value(&self, body: &Body, value: Value) -> Option<Key> {
        if let Some(known) = constant_of(body, value).and_then(|attr| attr.as_i64(body.context())) {
            return Some(Key::Known(known));
        }
        let (tensor, dim) = self.dimension(body, body.defining_op(value)?)?;
        Some(Key::Of(tensor, dim))
    }

    fn origin_of_dim(&self, body: &Body, tensor: Value, dim: usize) -> Option<Key> {
        match *body.ty(tensor).shape(body.context())?.get(dim)? {
            DYNAMIC => {}
            known => return Some(Key::Known(known)),
        }
        if let Some(&known) = self.known.get(&(tensor, dim)).filter(|key| key.exists(body)) {
            return Some(known);
        }
        let Def::Result(op, result) = body.def(tensor) else { return None };
        let op = body.op(op);
        Some(match self.table?.get(op.kind())?.extent(op, result, dim)? {
            Extent::Known(known) => Key::Known(known),
            Extent::Value(value) => Key::Value(value),
            Extent::Of { operand, dim } => Key::Of(op.operand(operand), dim),
            Extent::Plus { .. } => return None,
        })
    }
}

/// The extent of a dimension of a tensor as a value. Operations that state the extents of their results are looked through, so
/// that these get no further uses.
pub(crate) fn extent_value(
    b: &mut Builder<'_>,
    (tensor_ops, index_ops): (&dyn TensorOps, &dyn IndexOps),
    mut tensor: Value,
    mut dim: usize,
) -> Value {
    let (ctx, mut plus) = (b.context(), 0);
    for _ in 0..STEPS {
        let body = b.body();
        let Def::Result(op, result) = body.def(tensor) else { break };
        let op = body.op(op);
        let Some(service) = ctx.service::<dyn ExtentOf>(op.kind()) else { break };
        match service.extent(op, result, dim) {
            Some(Extent::Known(extent)) => return index_ops.index(b, extent.wrapping_add(plus)),
            Some(Extent::Value(value)) => return index_ops.plus(b, value, plus),
            Some(Extent::Of { operand, dim: of }) => (tensor, dim) = (op.operand(operand), of),
            Some(Extent::Plus { operand, dim: of, by }) => {
                (tensor, dim, plus) = (op.operand(operand), of, plus.wrapping_add(by));
            }
            None => break,
        }
    }
    let extent = tensor_ops.extent(b, tensor, dim);
    index_ops.plus(b, extent, plus)
}

/// The values that an operation with regions passes on: each input of a region or result, with a value that it receives, or
/// `None` if the operation produces it.
pub(crate) fn passed_on(op: OpRef<'_>, flow: &dyn RegionFlow) -> Vec<(Value, Option<Value>)> {
    let body = op.body();
    let mut edges = Vec::new();
    let mut add = |from: OpRef<'_>, successors: &[RegionSuccessor]| {
        for successor in successors {
            for (at, input) in successor.inputs(op).into_iter().enumerate() {
                edges.push((input, successor.operand(at).map(|operand| from.operand(operand))));
            }
        }
    };
    add(op, &flow.entry_successors(op, &vec![None; op.n_operands()]));
    for (number, region) in op.own_regions().enumerate() {
        for block in body.region(region).blocks() {
            let Some(last) = body.block(block).last().map(|last| body.op(last)) else { continue };
            if last.has_trait(Traits::TERMINATOR) && last.successors().len() == 0 {
                add(last, &flow.terminator_successors(op, number, last, &vec![None; last.n_operands()]));
            }
        }
    }
    edges
}

/// The lattice of the analysis: where the extent of a dimension of a region argument or a result comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// No value has reached it so far.
    Unreached,
    /// All values that it receives have this extent, which is available before the operation.
    One(Key),
    /// The values that it receives have different extents, or none that is available before the operation.
    Many,
}

impl Origin {
    fn meet(self, other: Origin) -> Origin {
        match (self, other) {
            (Origin::Unreached, one) | (one, Origin::Unreached) => one,
            (one, other) if one == other => one,
            _ => Origin::Many,
        }
    }
}

/// Determines the extents of the values that operations forward to their regions and results.
fn follow(body: &Body, flows: &ServiceTable<dyn RegionFlow>, ops: &[Op], extents: &mut Extents<'_>) {
    let ctx = body.context();
    // The operation of each region argument or result, and the extents that are passed to them.
    let mut owners: FxHashMap<Key, Op> = FxHashMap::default();
    let mut edges: Vec<(Key, Option<Key>)> = Vec::new();
    for &op in ops {
        let view = body.op(op);
        let flow = flows.get(view.kind()).filter(|flow| flow.execution(view) != RegionExecution::Parallel);
        let Some(flow) = flow.filter(|_| !view.has_trait(Traits::ISOLATED)) else { continue };
        for (input, given) in passed_on(view, flow) {
            let ty = body.ty(input);
            let shape = ty.shape(ctx).filter(|_| ty.is_tensor(ctx)).unwrap_or(&[]);
            for dim in (0..shape.len()).filter(|&dim| shape[dim] == DYNAMIC) {
                if !extents.known.contains_key(&(input, dim)) {
                    owners.insert(Key::Of(input, dim), op);
                    edges.push((Key::Of(input, dim), given.map(|given| extents.of_dim(body, given, dim))));
                }
            }
        }
    }
    // The origin of `input` if it receives `origin`, which must be available before the operation.
    let received = |origin: Origin, input: Key| match origin {
        Origin::One(Key::Of(value, _) | Key::Value(value)) => {
            let op = owners[&input];
            let is_result = matches!(body.def(value), Def::Result(def, _) if def == op);
            let is_available = !is_result && <dyn LoopLike>::is_outside(body, op, value);
            if is_available { origin } else { Origin::Many }
        }
        _ => origin,
    };
    let mut receivers: FxHashMap<Key, Vec<Key>> = FxHashMap::default();
    let mut pending: Vec<(Key, Origin)> = Vec::new();
    for (input, given) in edges {
        match given {
            Some(key) if owners.contains_key(&key) => receivers.entry(key).or_default().push(input),
            Some(key) => pending.push((input, received(Origin::One(key), input))),
            None => pending.push((input, Origin::Many)),
        }
    }
    let mut origins: FxHashMap<Key, Origin> = FxHashMap::default();
    // Each extent changes at most twice.
    while let Some((input, given)) = pending.pop() {
        let origin = origins.entry(input).or_insert(Origin::Unreached);
        let met = origin.meet(given);
        if met != *origin {
            *origin = met;
            let receivers = receivers.get(&input).into_iter().flatten();
            pending.extend(receivers.map(|&receiver| (receiver, received(met, receiver))));
        }
    }
    for (key, origin) in origins {
        if let (Key::Of(input, dim), Origin::One(origin)) = (key, origin) {
            extents.known.insert((input, dim), origin);
        }
    }
}
