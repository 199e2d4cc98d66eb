//! `affine.delinearize_index` and `affine.linearize_index`.

use crate::{evaluate, fold, generate, services};
use minoan_ir::constraints::INDEX;
use minoan_ir::text::{OpParser, OpPrinter, ParseError};
use minoan_ir::{
    Attr, AttrConstraint, AttrSyntax, Body, Builder, DYNAMIC, Op, OpDef, OpState, Type, Value, Violations, op,
};
use minoan_services::{Evaluate, Fold, FoldFn, Generate, Speculation, constant_of};

/// An element of a basis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Element {
    Number(i64),
    Value(Value),
}

impl Element {
    /// The number, if it is known.
    pub(crate) fn known(self, body: &Body) -> Option<i64> {
        match self {
            Element::Number(number) => Some(number),
            Element::Value(value) => constant_of(body, value)?.as_i64(body.context()),
        }
    }
}

/// The elements of a basis, with values in place of dynamic numbers.
pub(crate) fn mixed(numbers: &[i64], values: &[Value]) -> Vec<Element> {
    let mut values = values.iter();
    let element = |&number: &i64| match number {
        DYNAMIC => values.next().map_or(Element::Number(DYNAMIC), |&value| Element::Value(value)),
        number => Element::Number(number),
    };
    numbers.iter().map(element).collect()
}

/// Splits a basis into its numbers and values; constant values become numbers.
pub(crate) fn split(body: &Body, basis: &[Element]) -> (Vec<i64>, Vec<Value>) {
    let mut values = Vec::new();
    let number = |element: &Element| match (element.known(body), element) {
        (Some(known), _) => known,
        (None, Element::Value(value)) => {
            values.push(*value);
            DYNAMIC
        }
        (None, Element::Number(number)) => *number,
    };
    (basis.iter().map(number).collect(), values)
}

/// Splits a number into its digits in a mixed basis: `affine.delinearize_index %x into (4, %n, 8) : index, index, index`.
///
/// The last digit is less than the last element of the basis. The first element, the number of values of the first digit, is
/// only a hint, and may be omitted.
#[op(
    "affine.delinearize_index",
    traits(PURE),
    assembly = custom(parse_delinearize, print_delinearize),
    verify = verify_delinearize,
    services(
        Evaluate = evaluate::EvaluateDelinearize,
        Fold = FoldFn(fold::fold_delinearize),
        Generate = generate::AnyDelinearize,
        Speculation = services::has_known_basis,
    )
)]
pub struct DelinearizeIndex {
    /// The number.
    linear_index: Operand<INDEX>,
    /// The dynamic elements of the basis.
    dynamic_basis: Vec<Operand<INDEX>>,
    /// The basis; `DYNAMIC` for a dynamic element.
    static_basis: Vec<i64>,
    /// The digits.
    multi_index: Vec<OpResult<INDEX>>,
}

impl DelinearizeIndex {
    /// The basis, with `DYNAMIC` for a dynamic element.
    pub(crate) fn numbers(self, body: &Body) -> Vec<i64> {
        self.static_basis(body).iter().collect()
    }

    /// The basis.
    pub(crate) fn basis(self, body: &Body) -> Vec<Element> {
        mixed(&self.numbers(body), &self.dynamic_basis(body))
    }

    /// The basis, with `None` as the first element if that is omitted.
    pub(crate) fn padded_basis(self, body: &Body) -> Vec<Option<Element>> {
        padded(self.basis(body), self.multi_index(body).len())
    }

    /// Creates an operation; the first element of the basis may be `None`.
    pub(crate) fn with(b: &mut Builder<'_>, index: Value, basis: &[Option<Element>]) -> Vec<Value> {
        let known: Vec<Element> = basis.iter().flatten().copied().collect();
        let (numbers, values) = split(b.body(), &known);
        let op = DelinearizeIndex::build(b, index, &values, numbers, &vec![Type::INDEX; basis.len()]);
        op.multi_index(b.body())
    }
}

/// A basis with `None` in front if it has no element for the first of `count` numbers.
fn padded(basis: Vec<Element>, count: usize) -> Vec<Option<Element>> {
    let missing = count.saturating_sub(basis.len());
    std::iter::repeat_n(None, missing).chain(basis.into_iter().map(Some)).collect()
}

fn parse_delinearize(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let index = p.operand()?;
    p.keyword("into")?;
    let (values, numbers) = p.index_list("(", ")")?;
    let numbers = Attr::dense_i64(p.ctx(), &numbers);
    p.set_attr("static_basis", numbers);
    p.attr_dict()?;
    p.punct(":")?;
    let types = p.type_list()?;
    p.add_results(&types);
    p.add_operands(&[index], &[Type::INDEX])?;
    p.add_operands(&values, &vec![Type::INDEX; values.len()])
}

fn print_basis(p: &mut OpPrinter<'_, '_>, group: usize) {
    let op = p.op();
    let numbers = op.attr_named("static_basis").and_then(|basis| basis.as_dense_i64(p.ctx()));
    p.text("(");
    p.index_list(&op.operand_group(group), &numbers.unwrap_or_default());
    p.text(")");
}

fn print_delinearize(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.value(op.operand(0));
    p.text(" into ");
    print_basis(p, 1);
    p.attr_dict(&["static_basis"]);
    p.text(" : ");
    let types: Vec<Type> = op.result_types().collect();
    p.types(&types);
}

const MISMATCH: &str = "mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry) -- \
                        this can only happen due to an incorrect fold/rewrite";

fn count_dynamic(numbers: &[i64]) -> usize {
    numbers.iter().filter(|&&number| number == DYNAMIC).count()
}

fn verify_delinearize(body: &Body, op: Op, errors: &mut Violations) {
    let of = DelinearizeIndex::from_op_unchecked(op);
    let (numbers, results) = (of.numbers(body), body.op(op).n_results());
    if results != numbers.len() && results != numbers.len() + 1 {
        return errors.push("should return an index for each basis element and up to one extra index");
    }
    if count_dynamic(&numbers) != of.dynamic_basis(body).len() {
        return errors.push(MISMATCH);
    }
    if numbers.iter().any(|&number| number <= 0 && number != DYNAMIC) {
        errors.push("no basis element may be statically non-positive");
    }
}

/// Combines digits in a mixed basis to a number: `affine.linearize_index [%a, %b, %c] by (4, %n, 8) : index`.
///
/// With `disjoint`, each digit but the first is not negative and less than its element of the basis.
#[op(
    "affine.linearize_index",
    traits(PURE, OPERAND_SEGMENTS),
    assembly = custom(parse_linearize, print_linearize),
    verify = verify_linearize,
    no_function,
    services(
        Evaluate = evaluate::EvaluateLinearize,
        Fold = FoldFn(fold::fold_linearize),
        Generate = generate::AnyLinearize,
    )
)]
pub struct LinearizeIndex {
    /// The digits.
    multi_index: Vec<Operand<INDEX>>,
    /// The dynamic elements of the basis.
    dynamic_basis: Vec<Operand<INDEX>>,
    /// The basis; `DYNAMIC` for a dynamic element.
    static_basis: Vec<i64>,
    /// Whether the digits are less than the elements of the basis: `unit` or `false`.
    #[attr(UNIT_OR_FALSE, default = "false")]
    disjoint: Attr,
    /// The number.
    #[result(INDEX, fixed)]
    linear_index: Value,
}

static UNIT_OR_FALSE: AttrConstraint = AttrConstraint {
    description: "unit attribute or false",
    check: |_, attr| attr == Attr::UNIT || attr == Attr::bool(false),
    syntax: AttrSyntax::Any,
};

impl LinearizeIndex {
    /// Whether each digit but the first is not negative and less than its element of the basis.
    pub fn is_disjoint(self, body: &Body) -> bool {
        self.disjoint(body) == Attr::UNIT
    }

    /// The basis, with `DYNAMIC` for a dynamic element.
    pub(crate) fn numbers(self, body: &Body) -> Vec<i64> {
        self.static_basis(body).iter().collect()
    }

    /// The basis.
    pub(crate) fn basis(self, body: &Body) -> Vec<Element> {
        mixed(&self.numbers(body), &self.dynamic_basis(body))
    }

    /// The basis, with `None` as the first element if that is omitted.
    pub(crate) fn padded_basis(self, body: &Body) -> Vec<Option<Element>> {
        padded(self.basis(body), self.multi_index(body).len())
    }

    /// Creates an operation; the first element of the basis may be `None`.
    pub(crate) fn with(
        b: &mut Builder<'_>,
        digits: &[Value],
        basis: &[Option<Element>],
        disjoint: bool,
    ) -> Value {
        let known: Vec<Element> = basis.iter().flatten().copied().collect();
        let (numbers, values) = split(b.body(), &known);
        let ctx = b.context();
        let sizes = [digits.len() as i32, values.len() as i32];
        let props = b.dictionary(&[
            ("static_basis", Some(Attr::dense_i64(&ctx, &numbers))),
            ("disjoint", Some(if disjoint { Attr::UNIT } else { Attr::bool(false) })),
            ("operandSegmentSizes", Some(Attr::dense_i32(&ctx, &sizes))),
        ]);
        let state = OpState::new(ctx.kind_of::<LinearizeIndex>()).operands(digits).operands(&values);
        let op = b.create(state.results(&[Type::INDEX]).props(props));
        b.body().op(op).result(0)
    }
}

fn parse_linearize(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    if p.optional_keyword("disjoint") {
        p.set_attr("disjoint", Attr::UNIT);
    }
    let digits = p.bracketed_operands()?;
    p.keyword("by")?;
    let (values, numbers) = p.index_list("(", ")")?;
    let numbers = Attr::dense_i64(p.ctx(), &numbers);
    p.set_attr("static_basis", numbers);
    p.attr_dict()?;
    p.punct(":")?;
    let ty = p.ty()?;
    p.add_result(ty);
    p.add_operands(&digits, &vec![Type::INDEX; digits.len()])?;
    p.add_operands(&values, &vec![Type::INDEX; values.len()])?;
    p.set_segments(&[digits.len(), values.len()]);
    Ok(())
}

fn print_linearize(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    if op.attr_named("disjoint") == Some(Attr::UNIT) {
        p.text(" disjoint");
    }
    p.text(" [");
    p.values(&op.operand_group(0));
    p.text("] by ");
    print_basis(p, 1);
    p.attr_dict(&["static_basis", "disjoint"]);
    p.text(" : ");
    let types: Vec<Type> = op.result_types().collect();
    p.types(&types);
}

fn verify_linearize(body: &Body, op: Op, errors: &mut Violations) {
    let of = LinearizeIndex::from_op_unchecked(op);
    let (numbers, digits) = (of.numbers(body), of.multi_index(body).len());
    if digits != numbers.len() && digits != numbers.len() + 1 {
        return errors.push("should be passed a basis element for each index except possibly the first");
    }
    if count_dynamic(&numbers) != of.dynamic_basis(body).len() {
        errors.push(MISMATCH);
    }
}
