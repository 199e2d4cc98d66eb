//! Random plans of kernels.

use super::Random;
use minoan_schedule::{Kernel, Loop, Node, Plan, Prefetch, Tail, resolve};

/// Mutates a plan at random; `None` if the mutant is illegal. `number` selects the kind of mutation.
pub fn random_plan(plan: &Plan, kernel: &Kernel, number: usize, random: &mut Random) -> Option<Plan> {
    let mut other = mutate(plan, random);
    match number % 4 {
        0 => block(&mut other.nodes, random),
        1 => prefetch(&mut other.nodes, random),
        2 => without_paddings(&mut other.nodes),
        _ => {}
    }
    resolve(&other, kernel).is_ok().then_some(other)
}

/// Changes sizes, kinds of loops and last steps at random.
fn mutate(plan: &Plan, random: &mut Random) -> Plan {
    fn visit(nodes: &mut [Node], sizes: &mut Vec<(String, i64, i64, bool)>, random: &mut Random) {
        for node in nodes {
            match node {
                Node::Loop(inner) => {
                    let step = random.one_of(&[1, 2, 3, 4, 5, 8, 11, 16]);
                    let flip = random.below(4) == 0;
                    sizes.push((inner.axis.clone(), inner.step, step, flip));
                    inner.step = step;
                    inner.tail =
                        random.one_of(&[None, Some(Tail::Shift), Some(Tail::Mask), Some(Tail::Scalar)]);
                    inner.parallel &= random.below(2) == 0;
                    visit(&mut inner.body, sizes, random);
                    sizes.pop();
                }
                Node::Leaf(leaf) => {
                    leaf.tile.retain(|dim| sizes.iter().any(|(axis, ..)| *axis == dim.axis));
                    for (axis, _, step, flip) in sizes.iter() {
                        match leaf.tile.iter_mut().find(|dim| dim.axis == *axis) {
                            Some(dim) => {
                                dim.size = *step;
                                dim.lanes ^= flip;
                            }
                            None if *step > 1 => leaf.tile.push(minoan_schedule::TileDim {
                                axis: axis.clone(),
                                size: *step,
                                lanes: false,
                            }),
                            None => {}
                        }
                    }
                    leaf.tile.retain(|dim| dim.size > 1);
                }
                Node::Pack(_) | Node::Prefetch(_) => {}
            }
        }
    }
    let mut plan = plan.clone();
    visit(&mut plan.nodes, &mut Vec::new(), random);
    plan
}

/// Splits a loop over an axis into blocks by another loop around it. Reductions continue from the results of the previous
/// block.
fn block(nodes: &mut [Node], random: &mut Random) {
    for node in nodes {
        let Node::Loop(outer) = node else { continue };
        let inside = Plan { nodes: outer.body.clone() };
        let axes: Vec<String> = inside
            .leaves()
            .iter()
            .flat_map(|(loops, _)| loops.iter().map(|around| around.axis.clone()))
            .filter(|axis| *axis != outer.axis)
            .collect();
        if axes.is_empty() || random.below(3) > 0 {
            block(&mut outer.body, random);
            continue;
        }
        let axis = axes[random.below(axes.len())].clone();
        let step = random.one_of(&[1, 2, 3, 5, 6, 8, 16]);
        let body = vec![node.clone()];
        *node = Node::Loop(Loop { parallel: false, axis, step, tail: None, body });
    }
}

/// Removes paddings from the plan, so that their readers read the unpadded operands.
fn without_paddings(nodes: &mut Vec<Node>) {
    let is_padding = |node: &Node| {
        let leaves = Plan { nodes: vec![node.clone()] };
        let leaves = leaves.leaves();
        !leaves.is_empty() && leaves.iter().all(|(_, leaf)| leaf.statement.starts_with("pad"))
    };
    nodes.retain(|node| !is_padding(node));
    for node in nodes {
        if let Node::Loop(inner) = node {
            without_paddings(&mut inner.body);
        }
    }
}

/// Puts a prefetch into a loop.
fn prefetch(nodes: &mut [Node], random: &mut Random) {
    for node in nodes {
        let Node::Loop(outer) = node else { continue };
        if random.below(3) > 0 {
            prefetch(&mut outer.body, random);
            continue;
        }
        let inside = Plan { nodes: outer.body.clone() };
        let Some((_, leaf)) = inside.leaves().into_iter().next_back() else { continue };
        let (statement, operand) = (leaf.statement.clone(), random.below(2));
        outer.body.insert(0, Node::Prefetch(Prefetch { statement, operand }));
    }
}
