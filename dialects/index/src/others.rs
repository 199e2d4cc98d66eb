//! Constants, comparisons and conversions.

use crate::binary::WIDTH;
use crate::{fold, generate};
use minoan_ir::constraints::{ANY_INTEGER, I1, INDEX};
use minoan_ir::text::{AsmNames, OpParser, OpPrinter, ParseError};
use minoan_ir::{
    Attr, AttrEnum, Body, Context, Index, Op, OpRef, OpState, Signedness, Type, TypeConstraint, Value,
    Violation, Violations, attr, op,
};
use minoan_services::{
    Bits, ConstantMaterializer, Datum, Evaluate, Flow, Fold, FoldFn, Folded, Generate, IntBits as _, Machine,
    Trap, operand_scalar, result_scalar,
};

/// "integer or index"
static INTEGER_OR_INDEX: TypeConstraint = TypeConstraint::any_of(&[&ANY_INTEGER, &INDEX]);

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
#[attr_enum(name = "::mlir::index::IndexCmpPredicate", attr = CmpPredicateAttr)]
pub enum CmpPredicate {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less, signed.
    Slt,
    /// Less or equal, signed.
    Sle,
    /// Greater, signed.
    Sgt,
    /// Greater or equal, signed.
    Sge,
    /// Less, unsigned.
    Ult,
    /// Less or equal, unsigned.
    Ule,
    /// Greater, unsigned.
    Ugt,
    /// Greater or equal, unsigned.
    Uge,
}

impl CmpPredicate {
    /// Whether the comparison of two values holds.
    pub fn holds(self, a: Bits, b: Bits) -> bool {
        match self {
            CmpPredicate::Eq => a == b,
            CmpPredicate::Ne => a != b,
            CmpPredicate::Slt => a.signed() < b.signed(),
            CmpPredicate::Sle => a.signed() <= b.signed(),
            CmpPredicate::Sgt => a.signed() > b.signed(),
            CmpPredicate::Sge => a.signed() >= b.signed(),
            CmpPredicate::Ult => a.unsigned() < b.unsigned(),
            CmpPredicate::Ule => a.unsigned() <= b.unsigned(),
            CmpPredicate::Ugt => a.unsigned() > b.unsigned(),
            CmpPredicate::Uge => a.unsigned() >= b.unsigned(),
        }
    }
}

/// `#index<cmp_predicate slt>`.
#[attr("index.cmp_predicate", assembly = "$value", describe = "index comparison predicate kind")]
pub struct CmpPredicateAttr {
    /// The comparison.
    value: CmpPredicate,
}

/// The predicate of an `index.cmp`.
pub(crate) fn predicate_of(op: OpRef<'_>) -> Option<CmpPredicate> {
    Some(CmpPredicateAttr::cast(op.context(), op.attr_named("pred")?)?.value(op.context()))
}

/// A comparison: `index.cmp slt(%a, %b)`.
#[op(
    "index.cmp",
    traits(PURE),
    assembly = custom(parse_cmp, print_cmp),
    services(Evaluate = Compare, Fold = FoldFn(fold::compare), Generate = generate::Comparison)
)]
pub struct Cmp {
    lhs: Operand<INDEX>,
    rhs: Operand<INDEX>,
    /// The predicate.
    pred: CmpPredicate,
    #[result(I1, fixed)]
    result: Value,
}

fn parse_cmp(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let predicate: CmpPredicateAttr = p.stripped_attr()?;
    p.set_attr("pred", predicate.into());
    p.punct("(")?;
    let lhs = p.operand()?;
    p.punct(",")?;
    let rhs = p.operand()?;
    p.punct(")")?;
    p.attr_dict()?;
    p.add_operands(&[lhs, rhs], &[Type::INDEX; 2])?;
    p.add_result(Type::I1);
    Ok(())
}

fn print_cmp(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.text(predicate_of(op).map_or("", AttrEnum::keyword));
    p.text("(");
    p.values(&op.operands().collect::<Vec<Value>>());
    p.text(")");
    p.attr_dict(&["pred"]);
}

/// A constant index: `index.constant 4`.
#[op(
    "index.constant",
    traits(PURE, CONSTANT_LIKE),
    assembly = "attr-dict $value",
    services(Evaluate = ConstantValue, AsmNames = NamedByValue)
)]
pub struct Constant {
    value: Index,
    #[result(INDEX, fixed)]
    result: Value,
}

/// A constant boolean: `index.bool.constant true`.
#[op(
    "index.bool.constant",
    traits(PURE, CONSTANT_LIKE),
    assembly = "attr-dict $value",
    services(Evaluate = ConstantValue)
)]
pub struct BoolConstant {
    value: bool,
    #[result(I1, fixed)]
    result: Value,
}

/// The width of an index in bits: the target's, so it does not fold.
#[op(
    "index.sizeof",
    traits(PURE),
    assembly = "attr-dict",
    services(Evaluate = Width, Fold = FoldFn(|_, _| Folded::Stays))
)]
pub struct SizeOf {
    #[result(INDEX, fixed)]
    result: Value,
}

macro_rules! casts {
    ($($doc:literal $op:ident $name:literal signed $signed:literal;)*) => {$(
        #[doc = $doc]
        #[op($name,
             traits(PURE),
             assembly = "$input attr-dict `:` type($input) `to` type($output)",
             verify = verify_cast,
             services(
                 Evaluate = Convert { signed: $signed },
                 Fold = FoldFn(|op, known| fold::cast(op, known, $signed)),
             ))]
        pub struct $op {
            input: Operand<INTEGER_OR_INDEX>,
            output: OpResult<INTEGER_OR_INDEX>,
        }
    )*};
}

casts! {
    "Converts between `index` and an integer type; sign-extends if the result is wider." CastS "index.casts" signed true;
    "Converts between `index` and an integer type; zero-extends if the result is wider." CastU "index.castu" signed false;
}

fn verify_cast(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let (from, to) = (body.ty(view.operand(0)), body.ty(view.result(0)));
    if (from == Type::INDEX) == (to == Type::INDEX) {
        errors.push(Violation::cast(ctx, from, to));
    }
}

/// Materializes constants of type `index` and `i1`, as upstream does.
pub(crate) struct Constants;

impl ConstantMaterializer for Constants {
    fn materialize(&self, ctx: &Context, value: Attr, ty: Type) -> Option<OpState> {
        let fits = value.value_type(ctx) == Some(ty) && value.as_int(ctx).is_some();
        let kind = match ty {
            Type::INDEX if fits => ctx.kind_of::<Constant>(),
            Type::I1 if fits => ctx.kind_of::<BoolConstant>(),
            _ => return None,
        };
        let props = Attr::dictionary(ctx, &[(ctx.names().value, value)]);
        Some(OpState::new(kind).props(props).results(&[ty]))
    }
}

struct Compare;

impl Evaluate for Compare {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let predicate = predicate_of(op).ok_or_else(|| Trap::new("a comparison without predicate"))?;
        if operands.iter().any(Datum::has_poison) {
            return Flow::one(Datum::Poison);
        }
        let bits = |at: usize| Ok::<_, Trap>(Bits { value: operands[at].int()?, width: WIDTH });
        Flow::one(predicate.holds(bits(0)?, bits(1)?))
    }
}

struct ConstantValue;

impl Evaluate for ConstantValue {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let ctx = op.context();
        let value = op.attr(ctx.names().value).ok_or_else(|| Trap::new("a constant without value"))?;
        Flow::one(Datum::of_attr(ctx, value)?)
    }
}

struct Width;

impl Evaluate for Width {
    fn evaluate(&self, _: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::one(i64::from(WIDTH))
    }
}

struct Convert {
    signed: bool,
}

impl Evaluate for Convert {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        if operands[0].has_poison() {
            return Flow::one(Datum::Poison);
        }
        let (from, to) = (operand_scalar(op, 0)?.width()?, result_scalar(op)?);
        let signedness = if self.signed { Signedness::Signed } else { Signedness::Unsigned };
        Flow::one(to.big_integer(operands[0].wide()?.wrapped(from, signedness).to_big())?)
    }
}

/// Suggests the name `%idx4` for the constant 4.
struct NamedByValue;

impl AsmNames for NamedByValue {
    fn result_names(&self, op: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        let value = op.attr(op.context().names().value).and_then(|value| value.as_i64(op.context()));
        if let Some(value) = value {
            set(0, &format!("idx{value}"));
        }
    }
}
