//! Asynchronous transfers between memories.

use crate::fold;
use crate::metadata::print_place;
use minoan_ir::constraints::{ANY, INDEX, MEMREF};
use minoan_ir::text::{OpParser, OpPrinter, ParseError};
use minoan_ir::{Body, Op, OpRef, Type, Value, Violations, op};
use minoan_services::{Fold, FoldFn};

/// Starts a transfer: `memref.dma_start %a[%i], %b[%j], %n, %tag[%k] : memref<8xf32>, memref<8xf32, 1>,
/// memref<1xi32>`.
///
/// The operands are a source with its indices, a destination with its indices, the number of elements, a tag with its
/// indices, and optionally a stride and the number of elements per stride.
#[op("memref.dma_start", assembly = custom(parse_start, print_start), verify = verify_start)]
pub struct DmaStart {
    /// All operands.
    operands: Vec<Operand<ANY>>,
}

/// The positions of the operand groups of a transfer.
struct Parts {
    destination: usize,
    count: usize,
    tag: usize,
    stride: usize,
}

/// Splits the operands into groups.
fn parts(op: OpRef<'_>) -> Result<Parts, String> {
    let (body, ctx) = (op.body(), op.context());
    let operands: Vec<Value> = op.operands().collect();
    let mut least = 4;
    let enough = |least: usize| {
        if operands.len() < least { Err(format!("expected at least {least} operands")) } else { Ok(()) }
    };
    let rank = |at: usize, what: &str| match body.ty(operands[at]) {
        ty if ty.is_memref(ctx) && ty.rank(ctx).is_some() => Ok(ty.rank(ctx).unwrap_or(0)),
        _ => Err(format!("expected {what} to be of memref type")),
    };
    let indices = |range: std::ops::Range<usize>, what: &str| {
        if operands[range].iter().all(|&index| body.ty(index) == Type::INDEX) {
            Ok(())
        } else {
            Err(format!("expected {what} to be of index type"))
        }
    };
    enough(least)?;
    let mut place = |at: usize, what: &str| {
        least += rank(at, what)?;
        enough(least)?;
        let end = at + 1 + rank(at, what)?;
        indices(at + 1..end, &format!("{what} indices"))?;
        Ok::<usize, String>(end)
    };
    let destination = place(0, "source")?;
    let count = place(destination, "destination")?;
    indices(count..count + 1, "num elements")?;
    let tag = count + 1;
    let stride = place(tag, "tag")?;
    match operands.len() - stride {
        0 => {}
        2 if operands[stride..].iter().all(|&value| body.ty(value) == Type::INDEX) => {}
        2 => return Err("expected stride and num elements per stride to be of type index".to_owned()),
        _ => return Err("incorrect number of operands".to_owned()),
    }
    Ok(Parts { destination, count, tag, stride })
}

fn verify_start(body: &Body, op: Op, errors: &mut Violations) {
    if let Err(message) = parts(body.op(op)) {
        errors.push(message);
    }
}

fn parse_start(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let source = p.operand()?;
    let source_at = p.bracketed_operands()?;
    p.punct(",")?;
    let destination = p.operand()?;
    let destination_at = p.bracketed_operands()?;
    p.punct(",")?;
    let count = p.operand()?;
    p.punct(",")?;
    let tag = p.operand()?;
    let tag_at = p.bracketed_operands()?;
    let stride = if p.optional_punct(",") { p.operand_list()? } else { Vec::new() };
    if !matches!(stride.len(), 0 | 2) {
        return Err(p.error_at_name("expected two stride related operands"));
    }
    p.attr_dict()?;
    p.punct(":")?;
    let types = p.type_list()?;
    let [from, to, of_tag] = types[..] else { return Err(p.error_at_name("fewer/more types expected")) };
    for (memref, ty, at) in [
        (source, from, source_at),
        (destination, to, destination_at),
        (count, Type::INDEX, Vec::new()),
        (tag, of_tag, tag_at),
    ] {
        p.add_operands(&[memref], &[ty])?;
        p.add_operands(&at, &vec![Type::INDEX; at.len()])?;
    }
    p.add_operands(&stride, &vec![Type::INDEX; stride.len()])
}

fn print_start(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let Ok(parts) = parts(op) else { return };
    let operands: Vec<Value> = op.operands().collect();
    p.text(" ");
    print_place(p, 0..parts.destination);
    p.text(", ");
    print_place(p, parts.destination..parts.count);
    p.text(", ");
    p.value(operands[parts.count]);
    p.text(", ");
    print_place(p, parts.tag..parts.stride);
    for &value in &operands[parts.stride..] {
        p.text(", ");
        p.value(value);
    }
    p.attr_dict(&[]);
    p.text(" : ");
    let types = [0, parts.destination, parts.tag].map(|at| p.body().ty(operands[at]));
    p.types(&types);
}

/// Waits for the end of a transfer: `memref.dma_wait %tag[%k], %n : memref<1xi32>`.
#[op(
    "memref.dma_wait",
    assembly = "$tagMemRef `[` $tagIndices `]` `,` $numElements attr-dict `:` type($tagMemRef)",
    verify = verify_wait,
    services(Fold = FoldFn(|op, _| fold::without_cast(op, 0)))
)]
pub struct DmaWait {
    /// The tag of the transfer.
    #[operand(MEMREF, name = "tagMemRef")]
    tag: Value,
    /// The indices into the tag.
    #[operand(INDEX, name = "tagIndices")]
    tag_indices: Vec<Value>,
    /// The number of transferred elements.
    #[operand(INDEX, name = "numElements")]
    num_elements: Value,
}

fn verify_wait(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let (rank, indices) = (body.ty(view.operand(0)).rank(body.context()), view.n_operands() - 2);
    if let Some(rank) = rank.filter(|&rank| rank != indices) {
        errors.push(format!(
            "expected tagIndices to have the same number of elements as the tagMemRef rank, expected {rank}, but got {indices}"
        ));
    }
}
