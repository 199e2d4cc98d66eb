//! `linalg.map`, `linalg.reduce`, `linalg.broadcast` and `linalg.transpose`: assembly, indexing maps and
//! verification.

use crate::assembly::{ins_and_outs_of, print_operands};
use crate::constraints::TENSOR_OR_MEMREF;
use crate::{Yield, rules, services, structured};
use minoan_arith::FastMathAttr;
use minoan_ir::affine::AffineMap;
use minoan_ir::constraints::TENSOR;
use minoan_ir::text::{AsmNames, NamedOp, OpParser, OpPrinter, ParseError, RegionStyle};
use minoan_ir::{
    Attr, AttrConstraint, AttrSyntax, Body, DenseArray, Flags, InsertionPoint, Op, OpDef, OpRef, OpState,
    Traits, Type, Value, op,
};

/// An elementwise computation on arrays of equal shapes: `linalg.map { arith.addf } ins(%a, %b : t, t) outs(%c : t)`,
/// or with a region.
#[op(
    "linalg.map",
    traits(SINGLE_BLOCK, RECURSIVE_EFFECTS),
    assembly = custom(parse_map, print_map),
    verify = rules::verify_map,
    services(services::computed, AsmNames = services::Named { result: Some("mapped"), output: Some("init") })
)]
pub struct Map {
    /// The inputs.
    inputs: Vec<Operand<TENSOR_OR_MEMREF>>,
    /// The output.
    init: Operand<TENSOR_OR_MEMREF>,
    /// The updated output, if it is a tensor.
    result: Vec<OpResult<TENSOR>>,
    /// The computation: its arguments are the elements of the inputs and of the output; `linalg.yield` returns the
    /// new element.
    #[region(non_empty)]
    mapper: Region,
}

/// A reduction along dimensions: `linalg.reduce { arith.addf } ins(%a : t) outs(%c : u) dimensions = [1]`, or with a
/// region.
#[op(
    "linalg.reduce",
    traits(SINGLE_BLOCK, RECURSIVE_EFFECTS),
    assembly = custom(parse_reduce, print_reduce),
    verify = rules::verify_reduce,
    services(services::computed, AsmNames = services::Named { result: Some("reduced"), output: Some("init") })
)]
pub struct Reduce {
    /// The inputs, followed by the same number of outputs.
    operands: Vec<Operand<TENSOR_OR_MEMREF>>,
    /// The reduced dimensions, in increasing order.
    #[attr(INCREASING)]
    dimensions: Vec<i64>,
    /// The updated outputs, if they are tensors.
    results: Vec<OpResult<TENSOR>>,
    /// The combiner: its arguments are the elements of the inputs and of the outputs; `linalg.yield` returns the new
    /// elements.
    #[region(non_empty)]
    combiner: Region,
}

/// Replicates an array along new dimensions: `linalg.broadcast ins(%a : t) outs(%c : u) dimensions = [0]`.
#[op(
    "linalg.broadcast",
    traits(SINGLE_BLOCK, RECURSIVE_EFFECTS),
    assembly = custom(parse_broadcast, print_broadcast),
    verify = rules::verify_broadcast,
    services(services::computed, AsmNames = services::Named { result: Some("broadcasted"), output: None })
)]
pub struct Broadcast {
    /// The input.
    input: Operand<TENSOR_OR_MEMREF>,
    /// The output.
    init: Operand<TENSOR_OR_MEMREF>,
    /// The dimensions of the output that the input lacks.
    dimensions: Vec<i64>,
    /// The updated output, if it is a tensor.
    result: Vec<OpResult<TENSOR>>,
    /// Yields the element; implied and not printed.
    #[region(non_empty)]
    region: Region,
}

/// Permutes the dimensions of an array: `linalg.transpose ins(%a : t) outs(%c : u) permutation = [1, 0]`.
#[op(
    "linalg.transpose",
    traits(SINGLE_BLOCK, RECURSIVE_EFFECTS),
    assembly = custom(parse_transpose, print_transpose),
    verify = rules::verify_transpose,
    services(services::computed, AsmNames = services::Named { result: Some("transposed"), output: None })
)]
pub struct Transpose {
    /// The input.
    input: Operand<TENSOR_OR_MEMREF>,
    /// The output.
    init: Operand<TENSOR_OR_MEMREF>,
    /// The dimension of the input for each dimension of the output.
    permutation: Vec<i64>,
    /// The updated output, if it is a tensor.
    result: Vec<OpResult<TENSOR>>,
    /// Yields the element; implied and not printed.
    #[region(non_empty)]
    region: Region,
}

static INCREASING: AttrConstraint = AttrConstraint {
    description: "i64 dense array attribute should be in increasing order",
    check: |ctx, attr| attr.as_dense_i64(ctx).is_some_and(|dims| dims.is_sorted_by(|a, b| a < b)),
    syntax: AttrSyntax::DenseArray(Type::I64),
};

/// The dimensions as numbers below `rank`; `None` if one is out of range.
fn dims(all: DenseArray<'_, i64>, rank: usize) -> Option<Vec<u32>> {
    let dim = |dim: i64| u32::try_from(dim).ok().filter(|&dim| (dim as usize) < rank);
    all.into_iter().map(dim).collect()
}

/// The map that drops dimensions.
fn without(rank: usize, dropped: &[u32]) -> AffineMap {
    let keep: Vec<u32> = (0..rank as u32).filter(|dim| !dropped.contains(dim)).collect();
    AffineMap::projection(rank as u32, &keep)
}

fn rank(op: OpRef<'_>, operand: usize) -> usize {
    op.operand_types().nth(operand).and_then(|ty| ty.rank(op.context())).unwrap_or(0)
}

impl Reduce {
    /// The inputs.
    pub fn inputs(self, body: &Body) -> Vec<Value> {
        let mut operands = self.operands(body);
        operands.truncate(operands.len() / 2);
        operands
    }

    /// The indexing map of each operand.
    pub fn maps(self, body: &Body) -> Option<Vec<AffineMap>> {
        let op = body.op(self.op());
        let rank = rank(op, 0);
        let dropped = dims(self.dimensions(body), rank)?;
        let mut maps = vec![AffineMap::identity(rank as u32); op.n_operands() / 2];
        maps.resize(op.n_operands(), without(rank, &dropped));
        Some(maps)
    }
}

impl Broadcast {
    /// The indexing map of each operand.
    pub fn maps(self, body: &Body) -> Option<Vec<AffineMap>> {
        let rank = rank(body.op(self.op()), 1);
        let added = dims(self.dimensions(body), rank)?;
        Some(vec![without(rank, &added), AffineMap::identity(rank as u32)])
    }
}

impl Transpose {
    /// The indexing map of each operand. The iteration domain is that of the input.
    pub fn maps(self, body: &Body) -> Option<Vec<AffineMap>> {
        let rank = rank(body.op(self.op()), 0);
        let permutation = dims(self.permutation(body), rank)?;
        Some(vec![AffineMap::identity(rank as u32), AffineMap::projection(rank as u32, &permutation)])
    }
}

/// Parses the short form `{ arith.addf }` if present.
fn short_form(p: &mut OpParser<'_, '_>) -> Result<Option<NamedOp>, ParseError> {
    if !p.optional_punct("{") {
        return Ok(None);
    }
    let named = p.named_op()?;
    p.punct("}")?;
    Ok(Some(named))
}

/// Parses inputs and outputs, a named array attribute, and the attribute dictionary; returns the types of the
/// operands.
fn operands(p: &mut OpParser<'_, '_>, list: Option<&str>) -> Result<Vec<Type>, ParseError> {
    let (types, n_inputs) = ins_and_outs_of(p)?;
    let ctx = p.ctx();
    let tensors: Vec<Type> = types[n_inputs..].iter().copied().filter(|ty| ty.is_tensor(ctx)).collect();
    p.add_results(&tensors);
    if let Some(name) = list {
        p.keyword(name)?;
        p.punct("=")?;
        let numbers = p.integer_list()?;
        p.set_attr(name, Attr::dense_i64(ctx, &numbers));
    }
    p.attr_dict()?;
    Ok(types)
}

/// Parses the region, preceded by its arguments, or builds it from the operation of the short form.
fn body(
    p: &mut OpParser<'_, '_>,
    named: Option<NamedOp>,
    types: &[Type],
    order: impl FnOnce(&[Value]) -> Vec<Value>,
) -> Result<(), ParseError> {
    let Some(named) = named else {
        p.punct_in("(", "argument list")?;
        let mut args = Vec::new();
        let mut more = !p.at_punct(")");
        while more {
            args.push(p.region_arg()?);
            more = p.optional_punct(",");
        }
        p.punct_in(")", "argument list")?;
        return p.region(&args);
    };
    let ctx = p.ctx();
    if ctx.info(named.kind).is_some_and(|info| info.traits.has(Traits::TERMINATOR)) {
        return Err(p.error_at_name(format!("cannot compute elements by '{}'", ctx.kind_name(named.kind))));
    }
    let elements: Vec<Type> = types.iter().map(|ty| ty.element_or_self(ctx)).collect();
    let Some(&result) = elements.last() else { return Err(p.error_at_name("expected at least one output")) };
    p.build_region(&elements, |b, args| {
        let state = OpState::new(named.kind).loc(b.loc()).operands(&order(args)).results(&[result]);
        let payload = b.create(state.props(named.props).attrs(named.attrs));
        let value = b.body().op(payload).result(0);
        Yield::build(b, &[value]);
    });
    Ok(())
}

fn parse_map(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let named = short_form(p)?;
    let types = operands(p, None)?;
    body(p, named, &types, |args| args[..args.len() - 1].to_vec())
}

fn parse_reduce(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let named = short_form(p)?;
    let types = operands(p, Some("dimensions"))?;
    body(p, named, &types, |args| {
        let (&init, inputs) = args.split_last().expect("there is an output");
        std::iter::once(init).chain(inputs.iter().copied()).collect()
    })
}

fn parse_broadcast(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    parse_moved(p, "dimensions")
}

fn parse_transpose(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    parse_moved(p, "permutation")
}

/// Parses an operation that only moves elements.
fn parse_moved(p: &mut OpParser<'_, '_>, list: &str) -> Result<(), ParseError> {
    let types = operands(p, Some(list))?;
    let ctx = p.ctx();
    let elements: Vec<Type> = types.iter().map(|ty| ty.element_or_self(ctx)).collect();
    let operands = p.operands().to_vec();
    p.build_region(&elements, |b, args| {
        // As in MLIR, an element has the location of its array.
        if let InsertionPoint::End(block) = b.insertion_point() {
            for (at, &operand) in operands.iter().enumerate() {
                let loc = b.body().value_loc(operand);
                b.body_mut().set_arg_loc(block, at, loc);
            }
        }
        Yield::build(b, args.first().copied().as_slice());
    });
    Ok(())
}

/// The only operation before the terminator, if its operands are the arguments selected by `order` and its result is
/// yielded.
fn payload(op: OpRef<'_>, order: impl FnOnce(&[Value]) -> Option<Vec<Value>>) -> Option<OpRef<'_>> {
    let body = op.body();
    let block = body.block(body.region(op.own_regions().next()?).entry()?);
    let ops: Vec<Op> = block.ops().collect();
    let [payload, last] = ops[..] else { return None };
    let (payload, last) = (body.op(payload), body.op(last));
    let args: Vec<Value> = block.args().collect();
    let plain = payload.n_regions() == 0 && payload.n_results() == 1 && payload.n_operands() > 0;
    let fits = plain && payload.operands().eq(order(&args)?) && last.operands().eq(payload.results());
    fits.then_some(payload)
}

fn print_map(p: &mut OpPrinter<'_, '_>) {
    let payload = payload(p.op(), |args| Some(args.split_last()?.1.to_vec()));
    print_computed(p, payload, None);
}

fn print_reduce(p: &mut OpPrinter<'_, '_>) {
    let payload = payload(p.op(), |args| {
        let (&init, inputs) = args.split_last()?;
        Some(std::iter::once(init).chain(inputs.iter().copied()).collect())
    });
    print_computed(p, payload, Some("dimensions"));
}

fn print_computed(p: &mut OpPrinter<'_, '_>, payload: Option<OpRef<'_>>, list: Option<&str>) {
    if let Some(payload) = payload {
        print_short_form(p, payload);
    }
    print_parts(p, list);
    if payload.is_none() {
        p.indented(|p| {
            let body = p.body();
            let entry = p.op().own_regions().next().and_then(|region| body.region(region).entry());
            let args: Vec<Value> = entry.map(|entry| body.block(entry).args().collect()).unwrap_or_default();
            p.newline();
            p.text("(");
            for (index, arg) in args.into_iter().enumerate() {
                p.text(if index > 0 { ", " } else { "" });
                p.region_arg(arg);
            }
            p.text(") ");
            p.region(0, RegionStyle::FULL.without_entry_args());
        });
    }
}

/// Prints ` { arith.addf {overflowFlags = ..} }`; empty fast-math flags are omitted.
fn print_short_form(p: &mut OpPrinter<'_, '_>, payload: OpRef<'_>) {
    let ctx = p.ctx();
    let none = Attr::from(FastMathAttr::get(ctx, Flags::NONE));
    let list = |attr: Attr| attr.as_dictionary(ctx).unwrap_or(&[]);
    let mut entries: Vec<_> = list(payload.props()).iter().chain(list(payload.attrs())).copied().collect();
    if let Some(at) = entries.iter().position(|&(_, attr)| attr == none) {
        entries.remove(at);
    }
    p.text(" { ");
    p.text(payload.name());
    p.dictionary(Attr::dictionary(ctx, &entries));
    p.text(" }");
}

fn print_broadcast(p: &mut OpPrinter<'_, '_>) {
    print_parts(p, Some("dimensions"));
}

fn print_transpose(p: &mut OpPrinter<'_, '_>) {
    print_parts(p, Some("permutation"));
}

/// Prints inputs, outputs and attributes.
fn print_parts(p: &mut OpPrinter<'_, '_>, list: Option<&str>) {
    let op = p.op();
    let values: Vec<Value> = op.operands().collect();
    let (inputs, outputs) = values.split_at(structured::n_inputs(op));
    print_operands(p, " ins", inputs);
    print_operands(p, " outs", outputs);
    if let Some(name) = list {
        let numbers = op.attr_named(name).and_then(|attr| attr.as_dense_i64(p.ctx())).unwrap_or_default();
        p.text(&format!(" {name} = ["));
        p.index_list(&[], &numbers);
        p.text("] ");
    }
    p.attr_dict(list.as_slice());
}
