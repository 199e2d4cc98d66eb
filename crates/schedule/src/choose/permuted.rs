//! Pointwise computations of operands whose dimensions are in another order, such as transposes.
//!
//! ```text
//! par i/64 { for j/64 { pack addf.1[i, j] for i { addf[j:64v] } } }
//! ```
//!
//! The last dimension of the result has the lanes. Blocks of the operands that are contiguous along another one are transposed
//! in registers, unless the elements of the lanes are a few elements apart, such as those of a channel of an image: these are read
//! where they are.

use super::{Chooser, leaf, loop_over, nest, vector};
use crate::emit::MAX_STRIDE;
use crate::kernel::{Axis, Source};
use crate::plan::{Node, Pack, Plan};
use minoan_services::IteratorType;

/// The largest extent of a block along each of two axes.
const BLOCK: i64 = 64;

pub(super) fn plan(cx: &Chooser<'_>) -> Result<Plan, String> {
    let mut leaves = cx.leaves();
    let (Some((_, statement)), None) = (leaves.next(), leaves.next()) else {
        return Err("there are several statements".to_owned());
    };
    if statement.dims().any(|(_, iterator)| iterator != IteratorType::Parallel) || statement.pads() {
        return Err("elements are combined".to_owned());
    }
    cx.check_vector_form(statement)?;
    let written = cx.unit_free(&statement.written_axes().into_iter().flatten().collect::<Vec<_>>());
    let last = statement.write.results.last().and_then(|expr| statement.axis_of(expr));
    let to = written.last().copied().filter(|&to| last == Some(to)).ok_or("the result is not contiguous")?;
    let (mut packs, mut blocks): (Vec<(usize, Vec<Axis>)>, Vec<Axis>) = (Vec::new(), Vec::new());
    let mut is_near = false;
    for (read, access) in statement.reads.iter().enumerate() {
        let is_old = access.source == statement.init && access.map == statement.write;
        match access.source {
            // The old contents of an output are overwritten in the order of the result.
            Source::Argument(argument) if argument < cx.kernel.inputs => {}
            Source::Argument(_) if is_old => {}
            Source::Scalar(_) | Source::Undefined => continue,
            _ => return Err("a computed tensor is read".to_owned()),
        }
        if cx.is_contiguous(statement, &access.map.results, to) {
            continue;
        }
        let axes = statement.distinct_axes_of_read(read).ok_or("an operand is read at computed indices")?;
        if distance(cx, &axes, to).is_some_and(|distance| distance <= MAX_STRIDE) {
            is_near = true;
            continue;
        }
        let from = cx.unit_free(&axes).last().copied().ok_or("an operand has one element")?;
        if from != to && !blocks.contains(&from) {
            blocks.push(from);
        }
        packs.push((read, axes));
    }
    if packs.is_empty() && !is_near {
        return Err("no operand is in another order".to_owned());
    }
    let lanes = cx.lanes();
    let width = BLOCK.min((cx.extent(to).max(1) + lanes - 1) / lanes * lanes);
    let is_block = |axis: Axis| axis == to || blocks.contains(&axis);
    let outer: Vec<Axis> = written.iter().copied().filter(|&axis| !is_block(axis)).collect();
    let place = |axis: Axis| (axis == to, written.iter().position(|&other| other == axis));
    let copies = packs.into_iter().map(|(read, mut axes)| {
        axes.sort_by_key(|&axis| place(axis));
        let axes = axes.into_iter().map(|axis| cx.name(axis)).collect();
        Node::Pack(Pack { statement: statement.name.clone(), operand: read, axes })
    });
    let inner = nest(cx.kernel, &blocks, vec![leaf(statement, vec![vector(&cx.name(to), width)])]);
    let mut nodes: Vec<Node> = copies.chain(inner).collect();
    let mut around: Vec<(Axis, i64)> = outer.iter().map(|&axis| (axis, 1)).collect();
    around.extend(blocks.iter().map(|&axis| (axis, BLOCK)));
    around.push((to, width));
    for (at, &(axis, step)) in around.iter().enumerate().rev() {
        nodes = vec![loop_over(at == 0, &cx.name(axis), step, nodes)];
    }
    Ok(Plan { nodes })
}

/// The distance in elements of two consecutive indices of an axis, in a tensor that these axes index; `None` if it is not known.
fn distance(cx: &Chooser<'_>, axes: &[Axis], axis: Axis) -> Option<i64> {
    let at = axes.iter().position(|&other| other == axis)?;
    axes[at + 1..]
        .iter()
        .try_fold(1i64, |product, &inner| product.checked_mul(cx.kernel.known_extent(inner)?))
}
