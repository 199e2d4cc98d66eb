//! Helpers shared by the lowering rules: extents, elements, filled tensors, run-time checks.

use minoan_arith::{self as arith, CmpIPredicate};
pub(crate) use minoan_data::assert_values;
use minoan_func::{Call, Func, Visibility};
pub(crate) use minoan_functional::{Parts, assert, choose};
use minoan_ir::{Attr, AttrData, Builder, Context, OpDef, OpState, Type, Value};
use minoan_linalg::{Fill, Generic, IteratorType};
use minoan_scf::{If, Yield};
use minoan_tensor::{Cast, Dim, Empty};

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use super::items::flatten;
pub(crate) use super::slices::{dim, extract};

/// The logarithm of the gamma function.
pub(crate) const LGAMMA: &str = "minoan_lgamma";

/// The functions besides those of the source that the module needs.
#[derive(Default)]
pub(crate) struct Externs {
    /// The functions of the source for which a variant with a packed result is called.
    pub(super) packed: BTreeSet<String>,
    /// The functions of the runtime library.
    used: BTreeMap<&'static str, (Vec<Type>, Vec<Type>)>,
}

impl Externs {
    /// Calls a function of the runtime library.
    pub(crate) fn call(
        &mut self,
        b: &mut Builder<'_>,
        name: &'static str,
        args: &[Value],
        results: &[Type],
    ) -> Option<Value> {
        let inputs = args.iter().map(|&arg| b.ty(arg)).collect();
        self.used.entry(name).or_insert_with(|| (inputs, results.to_vec()));
        let call = Call::to(b, name, args, results);
        b.body().op(call.op()).results().next()
    }

    pub(super) fn declare(self, b: &mut Builder<'_>) {
        for (name, (inputs, results)) in self.used {
            if name == LGAMMA {
                super::digamma::declare(b, name);
            }
            Func::declare(b, name, &inputs, &results, Visibility::Private);
        }
    }
}

/// The types of the components of a value of type `ty`.
pub(crate) fn flat(ctx: &Context, ty: Type) -> Vec<Type> {
    let mut out = Vec::new();
    flatten(ctx, ty, &mut out);
    out
}

/// The lowered type of strings.
pub(crate) fn text_type(ctx: &Context) -> Type {
    crate::types::array(ctx, 1, Type::integer(ctx, 8))
}

/// Creates an operation by name, with default attributes.
pub(crate) fn named(
    b: &mut Builder<'_>,
    name: &str,
    operands: &[Value],
    results: &[Type],
    attrs: &[(&str, Attr)],
) -> Option<Value> {
    let ctx = b.context();
    let state = OpState::named(&ctx, name);
    let mut props: Vec<(&str, Option<Attr>)> = Vec::new();
    if let Some(info) = ctx.info(state.kind) {
        let declared = ctx.spec(state.kind).map_or(&[][..], |spec| spec.attrs);
        props.extend(
            declared.iter().enumerate().map(|(index, attr)| (attr.name, info.default_attr(&ctx, index))),
        );
    }
    props.retain(|(name, _)| attrs.iter().all(|(given, _)| given != name));
    props.extend(attrs.iter().map(|&(name, attr)| (name, Some(attr))));
    let props = b.dictionary(&props);
    let op = b.create(state.operands(operands).results(results).props(props));
    b.body().op(op).results().next()
}

/// Creates `math.<name>` with the type of its operand.
pub(crate) fn math(b: &mut Builder<'_>, name: &str, value: Value) -> Value {
    let ty = b.ty(value);
    named(b, name, &[value], &[ty], &[]).unwrap_or(value)
}

pub(crate) fn cmpi(b: &mut Builder<'_>, predicate: CmpIPredicate, lhs: Value, rhs: Value) -> Value {
    arith::cmpi(b, predicate, lhs, rhs)
}

/// The value of an integer constant.
pub(crate) fn known_int(b: &Builder<'_>, value: Value) -> Option<i64> {
    arith::constant_value(b.body(), value)?.as_i64(b.body().context())
}

/// Converts an `i64` to `index`.
pub(crate) fn to_index(b: &mut Builder<'_>, value: Value) -> Value {
    if let Some(known) = known_int(b, value) {
        return arith::constant_index(b, known);
    }
    match was_index(b, value) {
        Some(index) => index,
        None => arith::index_cast(b, value, Type::INDEX),
    }
}

/// The `index` from which an `i64` was cast.
fn was_index(b: &Builder<'_>, value: Value) -> Option<Value> {
    let op = b.body().defining_op(value)?;
    arith::IndexCast::cast(b.body(), op)?;
    Some(b.body().op(op).operand(0)).filter(|&index| b.ty(index) == Type::INDEX)
}

/// Converts an `index` to `i64`.
pub(crate) fn to_i64(b: &mut Builder<'_>, value: Value) -> Value {
    arith::index_cast(b, value, Type::I64)
}

/// The extents of all dimensions.
pub(crate) fn dims(b: &mut Builder<'_>, tensor: Value) -> Vec<Value> {
    let ctx = b.context();
    let rank = b.ty(tensor).rank(&ctx).unwrap_or(0);
    (0..rank).map(|dimension| dim(b, tensor, dimension)).collect()
}

/// Converts an `i64` size to `index`, with a check that it is not negative.
pub(crate) fn extent(b: &mut Builder<'_>, size: Value, what: &str) -> Value {
    // An extent, or an index of an enclosing loop: there are no other arguments of type `index`.
    let is_counted = was_index(b, size).is_some_and(|index| match b.body().defining_op(index) {
        Some(op) => b.body().op(op).is::<Dim>(),
        None => true,
    });
    if !is_counted && known_int(b, size).is_none_or(|known| known < 0) {
        let zero = arith::constant_int(b, 0, Type::I64);
        let fits = cmpi(b, CmpIPredicate::Sge, size, zero);
        assert_values(b, fits, &format!("{what} with a negative size: {{}}"), &[size]);
    }
    to_index(b, size)
}

pub(crate) fn extents(b: &mut Builder<'_>, sizes: &[Value], what: &str) -> Vec<Value> {
    sizes.iter().map(|&size| extent(b, size, what)).collect()
}

/// The zero of a numeric type.
pub(crate) fn zero(b: &mut Builder<'_>, ty: Type) -> Value {
    let ctx = b.context();
    if ty.is_float(&ctx) { arith::constant_float(b, 0.0, ty) } else { arith::constant_int(b, 0, ty) }
}

/// A tensor whose elements are all `value`.
pub(crate) fn filled(b: &mut Builder<'_>, ty: Type, sizes: &[Value], value: Value) -> Value {
    let empty = Empty::build(b, sizes, ty).result(b.body());
    let fill = Fill::with(b, value, empty);
    b.body().op(fill.op()).result(0)
}

/// An arbitrary value of a lowered type; tensors are empty.
pub(crate) fn dummy(b: &mut Builder<'_>, ty: Type) -> Value {
    let ctx = b.context();
    match ty.rank(&ctx) {
        None => zero(b, ty),
        Some(rank) => {
            let none = arith::constant_index(b, 0);
            Empty::build(b, &vec![none; rank], ty).result(b.body())
        }
    }
}

/// An arbitrary value; its tensors are empty.
pub(crate) fn dummy_value(b: &mut Builder<'_>, ty: Type) -> Parts {
    let ctx = b.context();
    if let Some(parts) = ty.as_tuple(&ctx) {
        return parts.iter().flat_map(|&part| dummy_value(b, part)).collect();
    }
    match crate::types::tensor_parts(&ctx, ty) {
        Some((rank, element)) => {
            let none = arith::constant_index(b, 0);
            super::collect::collect(b, element, &vec![none; rank], &mut |b, _| dummy_value(b, element))
        }
        None => minoan_functional::one(dummy(b, flat(&ctx, ty)[0])),
    }
}

/// A string as a tensor of bytes.
pub(crate) fn text(b: &mut Builder<'_>, bytes: &[u8]) -> Value {
    let ctx = b.context();
    let ty = Type::tensor(&ctx, &[bytes.len() as i64], Type::integer(&ctx, 8));
    let splat = bytes.len() == 1;
    let data = ctx.intern_attr(AttrData::DenseElements { ty, data: bytes.into(), splat });
    let known = arith::constant(b, data);
    Cast::build(b, known, text_type(&ctx)).dest(b.body())
}

/// Executes `fill` only if the condition is true.
pub(crate) fn when(b: &mut Builder<'_>, condition: Value, fill: impl FnOnce(&mut Builder<'_>)) {
    let ctx = b.context();
    let op = b.create(OpState::new(ctx.kind_of::<If>()).operands(&[condition]).regions(2));
    let (_, outside) = b.enter(op, 0, &[]);
    fill(b);
    Yield::build(b, &[]);
    b.set_insertion_point(outside);
}

/// Computes a tensor elementwise from tensors of equal size.
pub(crate) fn elementwise(
    b: &mut Builder<'_>,
    inputs: &[Value],
    element: Type,
    fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Value,
) -> Value {
    let ctx = b.context();
    let sizes = dims(b, inputs[0]);
    let ty = crate::types::array(&ctx, sizes.len(), element);
    let output = Empty::build(b, &sizes, ty).result(b.body());
    let map = minoan_ir::affine::AffineMap::identity(sizes.len() as u32);
    let maps = vec![map; inputs.len() + 1];
    let parallel = vec![IteratorType::Parallel; sizes.len()];
    let generic = Generic::with(b, inputs, &[output], &maps, &parallel, |b, elements| {
        vec![fill(b, &elements[..elements.len() - 1])]
    });
    b.body().op(generic.op()).result(0)
}

/// Adds a tensor to another of equal size, in place if possible.
pub(crate) fn accumulate(b: &mut Builder<'_>, sum: Value, term: Value) -> Value {
    let ctx = b.context();
    check_sizes(b, sum, term, "a sum of tensors of different sizes");
    let rank = b.ty(sum).rank(&ctx).unwrap_or(1);
    let maps = vec![minoan_ir::affine::AffineMap::identity(rank as u32); 2];
    let parallel = vec![IteratorType::Parallel; rank];
    let generic = Generic::with(b, &[term], &[sum], &maps, &parallel, |b, elements| {
        vec![accumulate_number(b, elements[1], elements[0])]
    });
    b.body().op(generic.op()).result(0)
}

/// Adds a term to a sum of numbers. The language leaves the order of the terms of a sum open, and whether products are rounded
/// before they are added.
pub(crate) fn accumulate_number(b: &mut Builder<'_>, sum: Value, term: Value) -> Value {
    let is_product = |op| b.body().op(op).is::<arith::MulF>();
    let is_only_a_term = b.body().defining_op(term).is_some_and(is_product) && !b.body().is_used(term);
    if is_only_a_term {
        arith::with_fastmath(b, term, [arith::FastMath::Contract]);
    }
    let total = add(b, sum, term);
    let flags = [arith::FastMath::Reassoc, arith::FastMath::Contract];
    if b.ty(total).is_float(&b.context()) { arith::with_fastmath(b, total, flags) } else { total }
}

/// The sum of two numbers of equal type.
pub(crate) fn add(b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
    let ctx = b.context();
    if b.ty(lhs).is_float(&ctx) { arith::addf(b, lhs, rhs) } else { arith::addi(b, lhs, rhs) }
}

/// Whether two lists of extents are equal.
pub(crate) fn same_extents(b: &mut Builder<'_>, left: &[Value], right: &[Value]) -> Value {
    let mut all = None;
    for (&left, &right) in left.iter().zip(right) {
        let same = cmpi(b, CmpIPredicate::Eq, left, right);
        all = Some(match all {
            None => same,
            Some(all) => arith::andi(b, all, same),
        });
    }
    all.unwrap_or_else(|| arith::constant_bool(b, true))
}

/// Stops the program if two tensors of numbers differ in size.
pub(crate) fn check_sizes(b: &mut Builder<'_>, lhs: Value, rhs: Value, message: &str) {
    if lhs != rhs {
        let (left, right) = (dims(b, lhs), dims(b, rhs));
        check_extents(b, &left, &right, message);
    }
}

/// Stops the program if two lists of extents differ.
pub(crate) fn check_extents(b: &mut Builder<'_>, left: &[Value], right: &[Value], message: &str) {
    if left != right {
        let same = same_extents(b, left, right);
        let shown = |extents: &[Value]| vec!["{}"; extents.len()].join("x");
        let message = format!("{message}: {} and {}", shown(left), shown(right));
        assert_values(b, same, &message, &[left, right].concat());
    }
}
