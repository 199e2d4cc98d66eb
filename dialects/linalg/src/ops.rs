//! `linalg.generic`, `linalg.fill`, `linalg.index` and `linalg.yield`.

use crate::attributes::IteratorTypeAttr;
use crate::constraints::DIMENSION;
use crate::{assembly, canonicalize, evaluate, fusion, generate, rules, services, structured};
use minoan_ir::affine::AffineMap;
use minoan_ir::constraints::{ANY, RANKED_TENSOR, SHAPED};
use minoan_ir::text::AsmNames;
use minoan_ir::{Array, Attr, Body, Builder, OpDef, OpState, Type, Value, op};
use minoan_services::{
    Evaluate, EvaluateYield, Fold, FoldFn, Fusion, Generate, IterationDomain, IteratorType, SplatDomain,
};

/// A scalar computation at each point of an iteration domain.
///
/// Each operand has an affine map from the domain to its indices. The region's arguments are the elements of the
/// operands; `linalg.yield` returns the new elements of the outputs.
#[op(
    "linalg.generic",
    traits(OPERAND_SEGMENTS, SINGLE_BLOCK, RECURSIVE_EFFECTS),
    assembly = custom(assembly::parse_generic, assembly::print_generic),
    verify = structured::verify,
    services(
        services::computed,
        AsmNames = services::Named { result: None, output: Some("out") },
        Generate = generate::AnyGeneric,
        Fusion = fusion::FuseIntoGeneric,
    )
)]
pub struct Generic {
    /// The inputs.
    inputs: Vec<Operand<ANY>>,
    /// The outputs, which may also be read.
    outputs: Vec<Operand<SHAPED>>,
    /// The indexing map of each operand.
    indexing_maps: Array<AffineMap>,
    /// The iterator type of each dimension.
    iterator_types: Array<IteratorTypeAttr>,
    /// Documentation for readers.
    doc: Option<String>,
    /// The name of an equivalent library function.
    library_call: Option<String>,
    /// The updated outputs, if they are tensors.
    result_tensors: Vec<OpResult<RANKED_TENSOR>>,
    /// The scalar computation.
    #[region(non_empty)]
    region: Region,
}

impl Generic {
    /// Creates a computation; `build` computes the new output elements from the elements of all operands. There is a
    /// result for each output that is a tensor.
    pub fn with(
        b: &mut Builder<'_>,
        inputs: &[Value],
        outputs: &[Value],
        maps: &[AffineMap],
        iterators: &[IteratorType],
        build: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    ) -> Generic {
        let ctx = b.context();
        let maps = attrs_of(maps, |map| Attr::affine_map(&ctx, map.clone()));
        let iterators = attrs_of(iterators, |&of| IteratorTypeAttr::get(&ctx, of).into());
        let segments = [inputs.len() as i32, outputs.len() as i32];
        let props = b.dictionary(&[
            ("indexing_maps", Some(Attr::array(&ctx, &maps))),
            ("iterator_types", Some(Attr::array(&ctx, &iterators))),
            ("operandSegmentSizes", Some(Attr::dense_i32(&ctx, &segments))),
        ]);
        let tensors: Vec<Type> =
            outputs.iter().map(|&output| b.ty(output)).filter(|ty| ty.is_tensor(&ctx)).collect();
        let state = OpState::new(ctx.kind_of::<Generic>())
            .operands(inputs)
            .operands(outputs)
            .results(&tensors)
            .props(props)
            .regions(1);
        let op = b.create(state);
        let elements: Vec<Type> =
            inputs.iter().chain(outputs).map(|&value| structured::scalar_type(&ctx, b.ty(value))).collect();
        let (block, outside) = b.enter(op, 0, &elements);
        let args: Vec<Value> = b.body().block(block).args().collect();
        let values = build(b, &args);
        Yield::build(b, &values);
        b.set_insertion_point(outside);
        Generic::from_op_unchecked(op)
    }

    /// The indexing maps of the operands, in order.
    pub fn maps(self, body: &Body) -> Vec<AffineMap> {
        self.indexing_maps(body).iter().cloned().collect()
    }
}

/// An attribute for each value; those that equal the value before them have its attribute.
fn attrs_of<T: PartialEq>(values: &[T], make: impl Fn(&T) -> Attr) -> Vec<Attr> {
    let mut attrs: Vec<Attr> = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        let last = attrs.last().copied().filter(|_| *value == values[at - 1]);
        attrs.push(last.unwrap_or_else(|| make(value)));
    }
    attrs
}

/// Sets all elements to one value.
#[op(
    "linalg.fill",
    traits(OPERAND_SEGMENTS, SINGLE_BLOCK, RECURSIVE_EFFECTS),
    assembly = custom(assembly::parse_fill, assembly::print_fill),
    verify = rules::verify_fill,
    services(
        services::structured,
        Evaluate = evaluate::EvaluateFill,
        Generate = generate::AnyFill,
        IterationDomain = SplatDomain,
    )
)]
pub struct Fill {
    /// The value.
    inputs: Vec<Operand<ANY>>,
    /// The filled array.
    outputs: Vec<Operand<SHAPED>>,
    /// The filled tensor, if the output is a tensor.
    result_tensors: Vec<OpResult<RANKED_TENSOR>>,
    /// Yields the value; implied and not printed.
    #[region(non_empty)]
    region: Region,
}

impl Fill {
    /// Fills a tensor or buffer.
    pub fn with(b: &mut Builder<'_>, value: Value, output: Value) -> Fill {
        let ctx = b.context();
        let ty = b.ty(output);
        let props = b.dictionary(&[("operandSegmentSizes", Some(Attr::dense_i32(&ctx, &[1, 1])))]);
        let results: &[Type] = if ty.is_tensor(&ctx) { &[ty] } else { &[] };
        let state = OpState::new(ctx.kind_of::<Fill>()).operands(&[value, output]);
        let op = b.create(state.results(results).props(props).regions(1));
        let args = [b.ty(value), ty.element_or_self(&ctx)];
        let (block, outside) = b.enter(op, 0, &args);
        let element = b.body().block(block).arg(0);
        Yield::build(b, &[element]);
        b.set_insertion_point(outside);
        Fill::from_op_unchecked(op)
    }
}

/// The index of a dimension at the current point of the iteration domain.
#[op(
    "linalg.index",
    traits(PURE),
    assembly = "$dim attr-dict `:` type($result)",
    verify = structured::verify_index,
    services(Evaluate = evaluate::EvaluateIndex, Fold = FoldFn(|op, _| canonicalize::fold_index(op)))
)]
pub struct Index {
    /// The dimension.
    #[attr(DIMENSION)]
    dim: i64,
    /// The index.
    #[result(minoan_ir::constraints::INDEX, fixed)]
    result: Value,
}

/// Yields the new elements of the outputs.
#[op(
    "linalg.yield",
    traits(TERMINATOR, RETURN_LIKE, PURE),
    assembly = "attr-dict ($values^ `:` type($values))?",
    verify = structured::verify_yield,
    services(Evaluate = EvaluateYield)
)]
pub struct Yield {
    /// One value per output.
    values: Vec<Operand<ANY>>,
}
