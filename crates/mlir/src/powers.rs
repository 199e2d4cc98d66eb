//! Checks of integer powers.
//!
//! MLIR's conversion of `math.ipowi` divides 1 by 0 for a negative power of zero, which LLVM removes as undefined.
//! [`check`] runs before MLIR's pipeline and asserts that no such power is computed.

use melior::dialect::cf;
use melior::ir::attribute::DenseElementsAttribute;
use melior::ir::block::BlockLike;
use melior::ir::operation::{
    OperationBuilder, OperationLike, OperationRef, OperationResult, WalkOrder, WalkResult,
};
use melior::ir::{Attribute, Identifier, Module, Type, TypeLike, Value, ValueLike};
use minoan_services::UNDEFINED_POWER;

/// Asserts before each `math.ipowi` that no base of a negative exponent is zero.
pub(crate) fn check(module: &mut Module<'_>) {
    module.as_operation().walk(WalkOrder::PreOrder, |operation| {
        if operation.name().as_string_ref().as_str() == Ok("math.ipowi")
            && let (Ok(base), Ok(exponent)) = (operation.operand(0), operation.operand(1))
            && !holds(base, |value| value != 0)
            && !holds(exponent, |value| value >= 0)
        {
            assert_defined(operation, base, exponent);
        }
        WalkResult::Advance
    });
}

/// Whether a value is a constant all of whose elements are one that satisfies a predicate.
fn holds(value: Value<'_, '_>, predicate: impl Fn(i64) -> bool) -> bool {
    let Ok(result) = OperationResult::try_from(value) else { return false };
    let owner = result.owner();
    if owner.name().as_string_ref().as_str() != Ok("arith.constant") {
        return false;
    }
    let Ok(attribute) = owner.attribute("value") else { return false };
    let text = attribute.to_string();
    let number = text.split(" : ").next().unwrap_or_default();
    let number = match DenseElementsAttribute::try_from(attribute) {
        Ok(_) => number.trim_start_matches("dense<").trim_end_matches('>'),
        Err(_) => number,
    };
    match number {
        // The only nonzero value of one bit is negative.
        "true" => predicate(-1),
        "false" => predicate(0),
        _ => number.parse().is_ok_and(predicate),
    }
}

fn assert_defined<'c: 'a, 'a>(power: OperationRef<'c, 'a>, base: Value<'c, 'a>, exponent: Value<'c, 'a>) {
    let (context, location) = (power.context(), power.location());
    // SAFETY: the operation's context outlives the operation.
    let context = unsafe { context.to_ref() };
    let block = power.block().expect("an operation in a block");
    let insert = |built: OperationBuilder<'c>| -> Value<'c, 'a> {
        let built = built.build().expect("an operation with a result");
        let inserted = block.insert_operation_before(power, built);
        inserted.results().next().expect("an operation with a result").into()
    };
    let parse = |text: &str| Type::parse(context, text).expect("a type of numbers");
    let constant = |text: &str, ty: Type<'c>| {
        let value = Attribute::parse(context, text).expect("a constant");
        let constant = OperationBuilder::new("arith.constant", location).add_results(&[ty]);
        insert(constant.add_attributes(&[(Identifier::new(context, "value"), value)]))
    };
    let ty = base.r#type();
    let own = ty.to_string();
    let is_vector = ty.is_vector();
    let zero = if is_vector { format!("dense<0> : {own}") } else { format!("0 : {own}") };
    let zero = constant(&zero, ty);
    let element = own.rsplit(['x', '<']).next().unwrap_or_default();
    let flags_text = match is_vector {
        // The element of a vector of indices ends in an 'x' itself.
        true if own.ends_with("index>") => own.replace("index>", "i1>"),
        true => format!("{}i1>", &own[..own.len() - element.len()]),
        false => "i1".to_owned(),
    };
    let flags = parse(&flags_text);
    let compare = |predicate: i64, value: Value<'c, 'a>| {
        let predicate = Attribute::parse(context, &format!("{predicate} : i64")).expect("a predicate");
        let compare = OperationBuilder::new("arith.cmpi", location).add_operands(&[value, zero]);
        let compare = compare.add_attributes(&[(Identifier::new(context, "predicate"), predicate)]);
        insert(compare.add_results(&[flags]))
    };
    let binary = |name: &str, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>| {
        insert(OperationBuilder::new(name, location).add_operands(&[lhs, rhs]).add_results(&[lhs.r#type()]))
    };
    // The predicates `ne` and `sge`.
    let mut is_defined = binary("arith.ori", compare(1, base), compare(5, exponent));
    if is_vector {
        if let Some(flat) = flattened(&flags_text) {
            let cast = OperationBuilder::new("vector.shape_cast", location).add_operands(&[is_defined]);
            is_defined = insert(cast.add_results(&[parse(&flat)]));
        }
        let kind = Attribute::parse(context, "#vector.kind<and>").expect("a kind");
        let all = OperationBuilder::new("vector.reduction", location).add_operands(&[is_defined]);
        let all = all.add_attributes(&[(Identifier::new(context, "kind"), kind)]);
        is_defined = insert(all.add_results(&[parse("i1")]));
    }
    block.insert_operation_before(power, cf::assert(context, is_defined, UNDEFINED_POWER, location));
}

/// The type of a vector with the same elements along one dimension; `None` if it has one at most, or is scalable.
fn flattened(ty: &str) -> Option<String> {
    let (dims, element) = ty.strip_prefix("vector<")?.strip_suffix('>')?.rsplit_once('x')?;
    let extents: Option<Vec<u64>> = dims.split('x').map(|extent| extent.parse().ok()).collect();
    let extents = extents.filter(|extents| extents.len() > 1)?;
    Some(format!("vector<{}x{element}>", extents.iter().product::<u64>()))
}
