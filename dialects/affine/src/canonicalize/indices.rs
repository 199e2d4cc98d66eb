//! Canonicalization of `affine.delinearize_index` and `affine.linearize_index`.

use crate::index::Element;
use crate::{Apply, DelinearizeIndex, LinearizeIndex};
use minoan_arith::constant_index;
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Body, Builder, DYNAMIC, Def, OpDef, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::constant_of;

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    patterns
        .on("affine-delinearize-of-linearize", cancel_digits)
        .on("affine-delinearize-unit", drop_unit_digits)
        .on("affine-delinearize-last-digit", split_last_digit)
        .on("affine-linearize-of-delinearize", cancel_number)
        .on("affine-linearize-leading-zero", drop_leading_zero)
        .on("affine-linearize-unit", drop_units);
}

type Basis = Vec<Option<Element>>;

fn known(body: &Body, value: Value) -> Option<i64> {
    constant_of(body, value)?.as_i64(body.context())
}

fn is_one(body: &Body, element: Option<Element>) -> bool {
    element.and_then(|element| element.known(body)) == Some(1)
}

fn some(basis: &[Element]) -> Basis {
    basis.iter().copied().map(Some).collect()
}

/// Whether a digit is given for each element of the basis.
fn has_outer_bound(digits: usize, basis: &[Element]) -> bool {
    digits == basis.len()
}

/// The disjoint linearization that defines the number of a delinearization.
fn linearization(of: DelinearizeIndex, body: &Body) -> Result<LinearizeIndex, NoMatch> {
    let source = body.defining_op(of.linear_index(body)).and_then(|def| LinearizeIndex::cast(body, def));
    let source =
        source.ok_or(NoMatch::because("the number is not the result of 'affine.linearize_index'"))?;
    match source.is_disjoint(body) {
        true => Ok(source),
        false => Err(NoMatch::because("the digits are not disjoint")),
    }
}

/// Replaces digits by zero whose element of the basis is one.
fn drop_unit_digits(of: DelinearizeIndex, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (basis, index) = (of.padded_basis(body), of.linear_index(body));
    let is_unit: Vec<bool> = basis.iter().map(|&element| is_one(body, element)).collect();
    if !is_unit.contains(&true) {
        return Err(NoMatch::because("no element of the basis is one"));
    }
    let rest: Basis = basis.into_iter().zip(&is_unit).filter(|(_, unit)| !**unit).map(|(by, _)| by).collect();
    let mut b = rewriter.builder();
    let zero = constant_index(&mut b, 0);
    let digits = if rest.is_empty() { Vec::new() } else { DelinearizeIndex::with(&mut b, index, &rest) };
    let mut digits = digits.into_iter();
    let digit = |unit: &bool| if *unit { zero } else { digits.next().unwrap_or(zero) };
    let results: Vec<Value> = is_unit.iter().map(digit).collect();
    rewriter.replace(of.op(), &results);
    Ok(Matched)
}

/// Cancels the last digits of a linearization whose elements of the basis are the same.
fn cancel_digits(of: DelinearizeIndex, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let source = linearization(of, body)?;
    let (own, theirs) = (of.basis(body), source.basis(body));
    let digits = source.multi_index(body);
    let results = body.op(of.op()).n_results();
    let same = own.iter().rev().zip(theirs.iter().rev()).take_while(|(a, b)| a == b).count();
    if same == 0 {
        return Err(NoMatch::because("the last elements of the bases differ"));
    }
    if same == own.len() && same == theirs.len() && digits.len() == results {
        rewriter.replace(of.op(), &digits);
        return Ok(Matched);
    }
    let (rest, cancelled) = digits.split_at(digits.len() - same);
    let number_basis = some(&theirs[..theirs.len() - same]);
    let mut digit_basis = some(&own[..own.len() - same]);
    if !has_outer_bound(results, &own) {
        digit_basis.insert(0, None);
    }
    let (from, at) = (body.op(source.op()).loc(), body.op(of.op()).loc());
    let mut b = rewriter.builder();
    b.set_loc(from);
    let number = LinearizeIndex::with(&mut b, rest, &number_basis, true);
    b.set_loc(at);
    let mut values = DelinearizeIndex::with(&mut b, number, &digit_basis);
    values.extend_from_slice(cancelled);
    rewriter.replace(of.op(), &values);
    Ok(Matched)
}

/// Splits a delinearization of a linearization if the last elements of its basis multiply to the last one of the linearization.
fn split_last_digit(of: DelinearizeIndex, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let source = linearization(of, body)?;
    let (numbers, theirs) = (of.numbers(body), source.numbers(body));
    let target = theirs.last().copied().filter(|&target| target != DYNAMIC);
    let target = target.ok_or(NoMatch::because("the last element of the basis is dynamic"))?;
    let (mut product, mut count) = (1i64, 0);
    for &number in numbers.iter().rev() {
        let next = Some(number).filter(|&number| number != DYNAMIC).and_then(|by| product.checked_mul(by));
        product = next.ok_or(NoMatch::because("an element of the basis is dynamic"))?;
        count += 1;
        if product >= target {
            break;
        }
    }
    if product != target || count < 2 {
        return Err(NoMatch::because(
            "the last elements do not multiply to the last one of the linearization",
        ));
    }
    let (own, basis) = (of.basis(body), source.basis(body));
    let digits = source.multi_index(body);
    let results = body.op(of.op()).n_results();
    let (Some((&last, rest)), Some((_, number_basis))) = (digits.split_last(), basis.split_last()) else {
        return Err(NoMatch::because("the linearization has no digits"));
    };
    let (outer, inner) = own.split_at(own.len() - count);
    let mut digit_basis = some(outer);
    if !has_outer_bound(results, &own) {
        digit_basis.insert(0, None);
    }
    let (from, at) = (body.op(source.op()).loc(), body.op(of.op()).loc());
    let (rest, number_basis, inner) = (rest.to_vec(), some(number_basis), some(inner));
    let mut b = rewriter.builder();
    b.set_loc(from);
    let number = LinearizeIndex::with(&mut b, &rest, &number_basis, true);
    b.set_loc(at);
    let mut values = DelinearizeIndex::with(&mut b, number, &digit_basis);
    values.extend(DelinearizeIndex::with(&mut b, last, &inner));
    rewriter.replace(of.op(), &values);
    Ok(Matched)
}

/// Drops a leading digit that is zero.
fn drop_leading_zero(of: LinearizeIndex, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (digits, basis) = (of.multi_index(body), of.basis(body));
    let Some((&leading, rest)) = digits.split_first() else {
        return Err(NoMatch::because("there are no digits"));
    };
    if known(body, leading) != Some(0) {
        return Err(NoMatch::because("the leading digit is not zero"));
    }
    let disjoint = of.is_disjoint(body);
    let rest_basis = if has_outer_bound(digits.len(), &basis) { &basis[1..] } else { &basis[..] };
    let value = match rest.is_empty() {
        true => leading,
        false => LinearizeIndex::with(&mut rewriter.builder(), rest, &some(rest_basis), disjoint),
    };
    rewriter.replace(of.op(), &[value]);
    Ok(Matched)
}

/// Drops digits whose element of the basis is one, if they are zero.
fn drop_units(of: LinearizeIndex, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (digits, basis, disjoint) = (of.multi_index(body), of.padded_basis(body), of.is_disjoint(body));
    let is_kept = |(digit, element): &(&Value, &Option<Element>)| {
        !is_one(body, **element) || !disjoint && known(body, **digit) != Some(0)
    };
    let (kept, rest): (Vec<Value>, Basis) = digits.iter().zip(&basis).filter(is_kept).unzip();
    if kept.len() == digits.len() {
        return Err(NoMatch::because("no element of the basis is one"));
    }
    let mut b = rewriter.builder();
    let value = match kept.is_empty() {
        true => constant_index(&mut b, 0),
        false => LinearizeIndex::with(&mut b, &kept, &rest, disjoint),
    };
    rewriter.replace(of.op(), &[value]);
    Ok(Matched)
}

/// Digits of a linearization that are consecutive digits of one delinearization.
struct Run {
    source: DelinearizeIndex,
    /// The first digit in the linearization, and in the delinearization.
    first: usize,
    source_first: usize,
    length: usize,
}

fn run_at(
    of: LinearizeIndex,
    body: &Body,
    digits: &[Value],
    basis: &[Option<Element>],
    first: usize,
) -> Option<Run> {
    let Def::Result(def, source_first) = body.def(digits[first]) else { return None };
    let source = DelinearizeIndex::cast(body, def)?;
    let (theirs, results) = (source.padded_basis(body), source.multi_index(body));
    let bound = theirs[source_first];
    let fits = bound == basis[first]
        || first == 0 && source_first == 0
        || of.is_disjoint(body) && source_first == 0 && bound.is_none();
    fits.then_some(())?;
    let most = (digits.len() - first).min(results.len() - source_first);
    let same = |&at: &usize| {
        digits[first + at] == results[source_first + at] && basis[first + at] == theirs[source_first + at]
    };
    let length = 1 + (1..most).take_while(same).count();
    (length > 1).then_some(Run { source, first, source_first, length })
}

/// The product of elements of a basis; `None` if the first one is missing.
fn product(b: &mut Builder<'_>, elements: &[Option<Element>]) -> Option<Element> {
    let (mut values, mut expr) = (Vec::new(), AffineExpr::Constant(1));
    for &element in elements {
        let factor = match (element?.known(b.body()), element?) {
            (Some(number), _) | (None, Element::Number(number)) => AffineExpr::Constant(number),
            (None, Element::Value(value)) => {
                values.push(value);
                AffineExpr::Symbol(values.len() as u32 - 1)
            }
        };
        expr = AffineExpr::simplified(AffineOp::Mul, expr, factor);
    }
    if let AffineExpr::Constant(number) = expr {
        return Some(Element::Number(number));
    }
    let map = AffineMap { dims: 0, symbols: values.len() as u32, results: [expr].into() };
    Some(Element::Value(Apply::build(b, &values, map).result(b.body())))
}

/// Merges digits that are consecutive digits of a delinearization.
fn cancel_number(of: LinearizeIndex, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (digits, basis, disjoint) = (of.multi_index(body), of.padded_basis(body), of.is_disjoint(body));
    let mut runs: Vec<Run> = Vec::new();
    let mut at = 0;
    while at < digits.len() {
        let run = run_at(of, body, &digits, &basis, at);
        // One run of each delinearization, which is replaced.
        let run = run.filter(|run| runs.iter().all(|other| other.source != run.source));
        at += run.as_ref().map_or(1, |run| run.length);
        runs.extend(run);
    }
    if runs.is_empty() {
        return Err(NoMatch::because("no digits come from one delinearization"));
    }
    let (mut new_digits, mut new_basis, mut replaced) = (Vec::new(), Vec::new(), Vec::new());
    let mut end = 0;
    let loc = body.op(of.op()).loc();
    for run in &runs {
        new_digits.extend_from_slice(&digits[end..run.first]);
        new_basis.extend_from_slice(&basis[end..run.first]);
        end = run.first + run.length;
        let merged = &basis[run.first..end];
        let body = rewriter.body();
        let (index, count) = (run.source.linear_index(body), run.source.multi_index(body).len());
        let mut theirs = run.source.padded_basis(body);
        let source_loc = body.op(run.source.op()).loc();
        rewriter.set_before(run.source.op());
        let mut b = rewriter.builder();
        b.set_loc(loc);
        let size = product(&mut b, merged);
        new_basis.push(size);
        if run.length == count {
            new_digits.push(index);
            continue;
        }
        b.set_loc(source_loc);
        theirs.splice(run.source_first..run.source_first + run.length, [size]);
        let outer = DelinearizeIndex::with(&mut b, index, &theirs);
        let combined = outer[run.source_first];
        let mut results = outer[..run.source_first].to_vec();
        results.extend(DelinearizeIndex::with(&mut b, combined, merged));
        results.extend_from_slice(&outer[run.source_first + 1..]);
        new_digits.push(combined);
        replaced.push((run.source.op(), results));
    }
    new_digits.extend_from_slice(&digits[end..]);
    new_basis.extend_from_slice(&basis[end..]);
    rewriter.set_before(of.op());
    let value = LinearizeIndex::with(&mut rewriter.builder(), &new_digits, &new_basis, disjoint);
    rewriter.replace(of.op(), &[value]);
    for (op, results) in replaced {
        rewriter.replace(op, &results);
    }
    Ok(Matched)
}
