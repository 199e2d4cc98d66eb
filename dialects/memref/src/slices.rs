//! Assembly and verification of slices and reassociations, shared by operations on buffers and on tensors.
//!
//! A slice has an offset, a size and a stride for each dimension. Each is static, or [`DYNAMIC`] and given by an
//! operand; static ones are stored in dense arrays, dynamic ones in three operand groups. A reassociation maps groups
//! of dimensions of the larger shape to one dimension of the smaller.

use minoan_ir::text::{OpParser, OpPrinter, ParseError, Unresolved};
use minoan_ir::{Attr, Context, DYNAMIC, OpRef, Type};
use minoan_services::{Datum, Trap};

/// Declares an operation with a slice: after its own operands come dynamic offsets, sizes and strides, then the
/// static lists, then its results. Both lists of fields have the syntax of `#[op]`.
#[macro_export]
macro_rules! slice_op {
    ($(#[$meta:meta])* pub struct $name:ident { operands { $($operands:tt)* } results { $($results:tt)* } }) => {
        $(#[$meta])*
        pub struct $name {
            $($operands)*
            /// Dynamic offsets.
            offsets: Vec<Operand<::minoan_ir::constraints::INDEX>>,
            /// Dynamic sizes.
            sizes: Vec<Operand<::minoan_ir::constraints::INDEX>>,
            /// Dynamic strides.
            strides: Vec<Operand<::minoan_ir::constraints::INDEX>>,
            /// Static offsets.
            static_offsets: Vec<i64>,
            /// Static sizes.
            static_sizes: Vec<i64>,
            /// Static strides.
            static_strides: Vec<i64>,
            $($results)*
        }
    };
}

/// The static lists of a slice, in operand order, and their names in messages.
pub const SLICE: [(&str, &str); 3] =
    [("static_offsets", "offset"), ("static_sizes", "size"), ("static_strides", "stride")];

/// The elements of a dense array attribute; empty if it is absent.
pub fn numbers(op: OpRef<'_>, name: &str) -> Vec<i64> {
    op.attr_named(name).and_then(|attr| attr.as_dense_i64(op.context())).unwrap_or_default()
}

/// Parses `[%o, 0] [4, 1] [1, 1]`, each list preceded by its keyword if `words` is given, and sets the attributes.
///
/// # Errors
/// A syntax error, which has been reported.
pub fn parse_slice(
    p: &mut OpParser<'_, '_>,
    words: Option<[&str; 3]>,
) -> Result<[Vec<Unresolved>; 3], ParseError> {
    let mut values = [Vec::new(), Vec::new(), Vec::new()];
    for (at, (name, _)) in SLICE.iter().enumerate() {
        if let Some(words) = words {
            if at > 0 {
                p.punct(",")?;
            }
            p.keyword(words[at])?;
            p.punct(":")?;
        }
        let (list, numbers) = p.index_list("[", "]")?;
        let numbers = Attr::dense_i64(p.ctx(), &numbers);
        p.set_attr(name, numbers);
        values[at] = list;
    }
    Ok(values)
}

/// Appends the operands of a slice and sets the segment sizes, after `before` single-operand groups.
///
/// # Errors
/// An operand is not of index type.
pub fn add_slice(
    p: &mut OpParser<'_, '_>,
    before: usize,
    values: &[Vec<Unresolved>; 3],
) -> Result<(), ParseError> {
    for list in values {
        p.add_operands(list, &vec![Type::INDEX; list.len()])?;
    }
    let sizes: Vec<usize> = std::iter::repeat_n(1, before).chain(values.iter().map(Vec::len)).collect();
    p.set_segments(&sizes);
    Ok(())
}

/// Prints the form that [`parse_slice`] parses, for operand groups from `first` on.
pub fn print_slice(p: &mut OpPrinter<'_, '_>, first: usize, words: Option<[&str; 3]>) {
    let op = p.op();
    for (at, (name, _)) in SLICE.iter().enumerate() {
        match words {
            Some(words) => p.text(&format!("{}{}: [", if at > 0 { ", " } else { " " }, words[at])),
            None => p.text(if at > 0 { " [" } else { "[" }),
        }
        p.index_list(&op.operand_group(first + at), &numbers(op, name));
        p.text("]");
    }
}

/// The attributes that [`print_slice`] prints.
pub const SLICE_NAMES: [&str; 3] = [SLICE[0].0, SLICE[1].0, SLICE[2].0];

/// Verifies the lists of a slice of a shape of rank `rank`, for operand groups from `first` on.
///
/// # Errors
/// The message.
pub fn verify_slice(op: OpRef<'_>, first: usize, rank: usize) -> Result<(), String> {
    let lists = SLICE.map(|(name, _)| numbers(op, name));
    if lists[0].len() != lists[1].len() {
        let (offsets, sizes) = (lists[0].len(), lists[1].len());
        return Err(format!(
            "expected mixed offsets rank to match mixed sizes rank ({offsets} vs {sizes}) so the rank of the result type is well-formed."
        ));
    }
    if lists[1].len() != lists[2].len() {
        let (sizes, strides) = (lists[1].len(), lists[2].len());
        return Err(format!(
            "expected mixed sizes rank to match mixed strides rank ({sizes} vs {strides}) so the rank of the result type is well-formed."
        ));
    }
    for (at, (_, what)) in SLICE.iter().enumerate() {
        if lists[at].len() != rank {
            return Err(format!("expected {rank} {what} values, got {}", lists[at].len()));
        }
        let dynamic = lists[at].iter().filter(|&&number| number == DYNAMIC).count();
        if dynamic != op.operand_group(first + at).len() {
            return Err(format!("expected {dynamic} dynamic {what} values"));
        }
    }
    for (list, what) in lists.iter().zip(["offsets", "sizes"]) {
        if let Some(number) = list.iter().find(|&&number| number < 0 && number != DYNAMIC) {
            return Err(format!("expected {what} to be non-negative, but got {number}"));
        }
    }
    Ok(())
}

/// The offsets, sizes and strides of a slice, with dynamic ones taken from `operands` in order.
///
/// # Errors
/// An operand is missing.
pub fn slice_values(op: OpRef<'_>, operands: &[Datum]) -> Result<[Vec<i64>; 3], Trap> {
    let mut values = operands.iter();
    let mut lists = SLICE_NAMES.map(|name| numbers(op, name));
    lists.iter_mut().try_for_each(|list| fill_in(list, &mut values))?;
    Ok(lists)
}

/// Replaces the [`DYNAMIC`] numbers of a list by the next values.
///
/// # Errors
/// A value is missing.
pub fn fill_in<'a>(list: &mut [i64], values: &mut impl Iterator<Item = &'a Datum>) -> Result<(), Trap> {
    for number in list.iter_mut().filter(|number| **number == DYNAMIC) {
        *number = values.next().ok_or_else(|| Trap::new("a list without one of its values"))?.int()?;
    }
    Ok(())
}

/// Checks that the known offsets, sizes and strides of an operation stay inside `shape`.
///
/// # Errors
/// The verifier's message.
pub fn verify_in_bounds(op: OpRef<'_>, shape: &[i64]) -> Result<(), String> {
    let lists = SLICE.map(|(name, _)| numbers(op, name));
    in_bounds(lists.each_ref().map(Vec::as_slice), shape)
}

/// Checks that the known offsets, sizes and strides of a slice stay inside `shape`.
///
/// # Errors
/// The verifier's message.
pub fn in_bounds([offsets, sizes, strides]: [&[i64]; 3], shape: &[i64]) -> Result<(), String> {
    for (dim, &extent) in shape.iter().enumerate() {
        let (offset, size, stride) = (offsets[dim], sizes[dim], strides[dim]);
        if extent == DYNAMIC || offset == DYNAMIC {
            continue;
        }
        if offset >= extent {
            return Err(format!("offset {dim} is out-of-bounds: {offset} >= {extent}"));
        }
        if size == DYNAMIC || stride == DYNAMIC || size == 0 {
            continue;
        }
        let last = (size - 1).checked_mul(stride).and_then(|length| offset.checked_add(length));
        match last {
            Some(last) if last < extent => {}
            _ => {
                let last = last.unwrap_or(i64::MAX);
                return Err(format!("slice along dimension {dim} runs out-of-bounds: {last} >= {extent}"));
            }
        }
    }
    Ok(())
}

/// The dimensions of `full` that are dropped in `reduced`, all of extent 1. `None` if it is not a rank-reduced
/// version.
pub fn dropped_dims(full: &[i64], reduced: &[i64]) -> Option<Vec<bool>> {
    let mut dropped = vec![false; full.len()];
    let mut next = 0;
    for (dim, &extent) in full.iter().enumerate() {
        if next < reduced.len() && reduced[next] == extent {
            next += 1;
        } else if extent == 1 {
            dropped[dim] = true;
        } else {
            return None;
        }
    }
    (next == reduced.len()).then_some(dropped)
}

/// The groups of a reassociation attribute; `None` if it is malformed.
pub fn reassociation(ctx: &Context, attr: Attr) -> Option<Vec<Vec<i64>>> {
    let group = |group: &Attr| group.as_array(ctx)?.iter().map(|dim| dim.as_i64(ctx)).collect();
    attr.as_array(ctx)?.iter().map(group).collect()
}

/// Verifies that the groups of a reassociation are contiguous and match two ranks.
///
/// # Errors
/// The message.
pub fn verify_reassociation(groups: &[Vec<i64>], collapsed: usize, expanded: usize) -> Result<(), String> {
    if collapsed != groups.len() {
        let maps = groups.len();
        return Err(format!(
            "expected collapsed rank ({collapsed}) to equal the number of reassociation maps ({maps})."
        ));
    }
    let dims = groups.iter().flatten().max().map_or(0, |last| last.saturating_add(1));
    if dims != expanded as i64 && !groups.is_empty() {
        return Err(format!(
            "expected reassociation map #0 to have size equal to the expanded rank ({expanded}), but it is  {dims}."
        ));
    }
    let mut next = 0;
    for (index, group) in groups.iter().enumerate() {
        for &dim in group {
            if dim != next {
                return Err(format!("expected reassociation map #{index} to be valid and contiguous."));
            }
            next += 1;
        }
    }
    Ok(())
}

/// Verifies that each collapsed extent is the product of its group.
///
/// # Errors
/// The message.
pub fn verify_products(groups: &[Vec<i64>], collapsed: &[i64], expanded: &[i64]) -> Result<(), String> {
    for (dim, (group, &extent)) in groups.iter().zip(collapsed).enumerate() {
        let product = group.iter().try_fold(1i64, |product, &at| match expanded.get(at as usize) {
            Some(&DYNAMIC) | None => None,
            Some(&factor) => Some(product.saturating_mul(factor)),
        });
        match product {
            Some(product) if product != extent => {
                return Err(format!(
                    "expected dimension {dim} of collapsed type to be static value of {product}"
                ));
            }
            None if extent != DYNAMIC => {
                return Err(format!(
                    "expected dimension {dim} of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic"
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Parses `%m [[0, 1]] output_shape [%n, 4] : t into u`.
///
/// # Errors
/// A syntax error, which has been reported.
pub fn parse_expand(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let source = p.operand()?;
    let groups = p.attribute()?;
    p.set_attr("reassociation", groups);
    p.keyword("output_shape")?;
    let (values, numbers) = p.index_list("[", "]")?;
    let numbers = Attr::dense_i64(p.ctx(), &numbers);
    p.set_attr("static_output_shape", numbers);
    p.attr_dict()?;
    p.punct(":")?;
    let from = p.ty()?;
    p.keyword("into")?;
    let to = p.ty()?;
    p.add_operands(&[source], &[from])?;
    p.add_operands(&values, &vec![Type::INDEX; values.len()])?;
    p.add_result(to);
    Ok(())
}

/// Prints the form that [`parse_expand`] parses.
pub fn print_expand(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.values(&op.operand_group(0));
    p.text(" ");
    if let Some(groups) = op.attr_named("reassociation") {
        p.attr(groups);
    }
    p.text(" output_shape [");
    p.index_list(&op.operand_group(1), &numbers(op, "static_output_shape"));
    p.text("]");
    p.attr_dict(&["reassociation", "static_output_shape"]);
    p.text(" : ");
    p.ty(p.body().ty(op.operand(0)));
    p.text(" into ");
    p.types(&op.result_types().collect::<Vec<_>>());
}

/// Verifies that there is an operand for each [`DYNAMIC`] extent of an output shape.
///
/// # Errors
/// The message.
pub fn index_list_operands(shape: &[i64], values: usize) -> Result<(), String> {
    let dynamic = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
    if dynamic == values {
        return Ok(());
    }
    Err(format!(
        "mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has {dynamic} dynamic dims while output_shape has {values} values"
    ))
}

/// Parses `%m[%o, 0] [4, 1] [1, 1] : <type> to <type>`.
///
/// # Errors
/// A syntax error, which has been reported.
pub fn parse_part(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    parse_slice_cast(p, None, None)
}

/// Parses an operand with an optional keyword after it, a slice, and the types of operand and result.
pub(crate) fn parse_slice_cast(
    p: &mut OpParser<'_, '_>,
    keyword: Option<&str>,
    words: Option<[&str; 3]>,
) -> Result<(), ParseError> {
    let source = p.operand()?;
    if let Some(keyword) = keyword {
        p.keyword(keyword)?;
    }
    let values = parse_slice(p, words)?;
    p.attr_dict()?;
    p.punct(":")?;
    let from = p.ty()?;
    p.keyword("to")?;
    let to = p.ty()?;
    p.add_operands(&[source], &[from])?;
    p.add_result(to);
    add_slice(p, 1, &values)
}
