//! Comparisons, and `arith.select`.

use crate::constraints::{FASTMATH, bool_like, is_case};
use minoan_ir::constraints::{ANY, BOOL_LIKE, FLOAT_LIKE, SIGNLESS_INTEGER_LIKE};
use minoan_ir::text::{OpParser, OpPrinter, ParseError};
use minoan_ir::{
    Attr, AttrConstraint, AttrSyntax, Body, Builder, Context, InferInput, Op, Type, Value, Violations, op,
};

macro_rules! predicates {
    (
        $(#[doc = $doc:literal])* $name:ident, $cases:ident, $constraint:ident, $description:literal;
        $($variant:ident $keyword:literal $number:literal $meaning:literal,)*
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $(#[doc = $meaning] $variant = $number,)*
        }

        impl $name {
            /// All predicates, indexed by number.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The keyword in the assembly.
            pub fn keyword(self) -> &'static str {
                $cases[self as usize].0
            }

            /// The attribute: the number, of type `i64`.
            pub fn attr(self, ctx: &Context) -> Attr {
                Attr::i64(ctx, self as i64)
            }

            /// The predicate of an attribute.
            pub fn of_attr(ctx: &Context, attr: Attr) -> Option<Self> {
                Self::ALL.get(usize::try_from(attr.as_i64(ctx)?).ok()?).copied()
            }
        }

        const $cases: &[(&str, i64)] = &[$(($keyword, $number)),*];

        #[doc = concat!("\"", $description, "\"")]
        pub static $constraint: AttrConstraint = AttrConstraint {
            description: $description,
            check: |ctx, attr| is_case(ctx, attr, Type::I64, $cases),
            syntax: AttrSyntax::EnumInteger(Type::I64, $cases),
        };
    };
}

predicates! {
    /// An integer comparison predicate.
    CmpIPredicate, CMPI_CASES, CMPI_PREDICATE,
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9";
    Eq "eq" 0 "Equal.",
    Ne "ne" 1 "Not equal.",
    Slt "slt" 2 "Signed less.",
    Sle "sle" 3 "Signed less than or equal.",
    Sgt "sgt" 4 "Signed greater.",
    Sge "sge" 5 "Signed greater than or equal.",
    Ult "ult" 6 "Unsigned less.",
    Ule "ule" 7 "Unsigned less than or equal.",
    Ugt "ugt" 8 "Unsigned greater.",
    Uge "uge" 9 "Unsigned greater than or equal.",
}

predicates! {
    /// A float comparison predicate: if an operand is NaN, ordered predicates are false, unordered ones true.
    CmpFPredicate, CMPF_CASES, CMPF_PREDICATE,
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15";
    False "false" 0 "Never.",
    Oeq "oeq" 1 "Ordered and equal.",
    Ogt "ogt" 2 "Ordered and greater.",
    Oge "oge" 3 "Ordered and greater than or equal.",
    Olt "olt" 4 "Ordered and less.",
    Ole "ole" 5 "Ordered and less than or equal.",
    One "one" 6 "Ordered and not equal.",
    Ord "ord" 7 "Ordered: no operand is NaN.",
    Ueq "ueq" 8 "Unordered or equal.",
    Ugt "ugt" 9 "Unordered or greater.",
    Uge "uge" 10 "Unordered, greater than or equal.",
    Ult "ult" 11 "Unordered or less.",
    Ule "ule" 12 "Unordered, less than or equal.",
    Une "une" 13 "Unordered or not equal.",
    Uno "uno" 14 "Unordered: an operand is NaN.",
    True "true" 15 "Always.",
}

/// Integer comparison: `arith.cmpi slt, %a, %b : i32`.
///
/// The result has `i1` elements and the extents of the operands.
#[op("arith.cmpi",
     traits(PURE, SAME_OPERANDS, ELEMENTWISE),
     assembly = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)",
     derive(result = bool_like(lhs), "result type has i1 element type and same shape as operands"),
     infer = infer_bool_like, no_function)]
pub struct CmpI {
    #[operand(SIGNLESS_INTEGER_LIKE)]
    lhs: Value,
    #[operand(SIGNLESS_INTEGER_LIKE)]
    rhs: Value,
    #[attr(CMPI_PREDICATE)]
    predicate: Attr,
    #[result(BOOL_LIKE)]
    result: Value,
}

/// Float comparison: `arith.cmpf olt, %a, %b : f32`.
///
/// The result has `i1` elements and the extents of the operands.
#[op("arith.cmpf",
     traits(PURE, SAME_OPERANDS, ELEMENTWISE),
     assembly = "$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)",
     derive(result = bool_like(lhs), "result type has i1 element type and same shape as operands"),
     infer = infer_bool_like, no_function)]
pub struct CmpF {
    #[operand(FLOAT_LIKE)]
    lhs: Value,
    #[operand(FLOAT_LIKE)]
    rhs: Value,
    #[attr(CMPF_PREDICATE)]
    predicate: Attr,
    #[attr(FASTMATH, default = "#arith.fastmath<none>")]
    fastmath: Attr,
    #[result(BOOL_LIKE)]
    result: Value,
}

fn infer_bool_like(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let lhs = input.operands.first().ok_or("expected 2 operands, but found 0")?;
    Ok(vec![bool_like(input.ctx, *lhs).unwrap_or(Type::I1)])
}

/// Selects one of two values by a condition.
///
/// The condition is an `i1`, or has a boolean for each element. Both values are already computed, so there is no
/// control flow: `arith.select %c, %a, %b : i32`, `arith.select %c, %v, %w : vector<4xi1>, vector<4xf32>`.
#[op("arith.select",
     traits(PURE, ELEMENTWISE),
     assembly = custom(parse_select, print_select),
     same_types(true_value, false_value, result), verify = verify_select, infer = infer_select)]
pub struct Select {
    #[operand(BOOL_LIKE)]
    condition: Value,
    #[operand(ANY)]
    true_value: Value,
    #[operand(ANY)]
    false_value: Value,
    #[result(ANY)]
    result: Value,
}

/// Parses `%c, %a, %b {attributes} : type`, with the type of the condition first if it is not `i1`.
fn parse_select(parser: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let span = parser.span();
    let operands = parser.operand_list()?;
    if operands.len() != 3 {
        return Err(parser.error_at(span, "expected 3 operands"));
    }
    parser.attr_dict()?;
    parser.punct(":")?;
    let mut condition = Type::I1;
    let mut ty = parser.ty()?;
    if parser.optional_punct(",") {
        condition = std::mem::replace(&mut ty, parser.ty()?);
    }
    parser.add_operands(&operands, &[condition, ty, ty])?;
    parser.add_result(ty);
    Ok(())
}

fn print_select(printer: &mut OpPrinter<'_, '_>) {
    let op = printer.op();
    let operands: Vec<_> = op.operands().collect();
    printer.text(" ");
    printer.values(&operands);
    printer.attr_dict(&[]);
    printer.text(" : ");
    let types = (op.operand_types().next(), op.result_types().next());
    if let (Some(condition), Some(result)) = types {
        if condition != Type::I1 {
            printer.ty(condition);
            printer.text(", ");
        }
        printer.ty(result);
    }
}

fn infer_select(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let ty = input.operands.get(1).ok_or("expected 3 operands")?;
    Ok(vec![*ty])
}

fn verify_select(body: &Body, op: Op, errors: &mut Violations) {
    let ctx = body.context();
    let view = body.op(op);
    let condition = body.ty(view.operand(0));
    let result = body.ty(view.result(0));
    if condition != Type::I1 && condition.shape(ctx) != result.shape(ctx) {
        errors.push("failed to verify that condition is signless i1 or has matching shape");
    }
}

/// Creates an `arith.cmpi` and returns its result.
#[track_caller]
pub fn cmpi(b: &mut Builder<'_>, predicate: CmpIPredicate, lhs: Value, rhs: Value) -> Value {
    let predicate = predicate.attr(b.body().context());
    let op = CmpI::build(b, lhs, rhs, predicate);
    op.result(b.body())
}

/// Creates an `arith.cmpf` and returns its result.
#[track_caller]
pub fn cmpf(b: &mut Builder<'_>, predicate: CmpFPredicate, lhs: Value, rhs: Value) -> Value {
    let predicate = predicate.attr(b.body().context());
    let op = CmpF::build(b, lhs, rhs, predicate);
    op.result(b.body())
}
