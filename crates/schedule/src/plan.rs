//! Plans: loop trees over the statements of a kernel.

use std::fmt;

/// The loop tree of a kernel, by the names of its axes and statements.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Plan {
    /// The nodes, in order of execution.
    pub nodes: Vec<Node>,
}

/// A node of a plan.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A loop over an axis.
    Loop(Loop),
    /// The computation of one tile of a statement.
    Leaf(Leaf),
    /// A copy of a part of an operand.
    Pack(Pack),
    /// A prefetch.
    Prefetch(Prefetch),
}

/// A loop over an axis, within the step of the next enclosing loop over the same axis.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Loop {
    /// Whether the iterations may run in parallel.
    pub parallel: bool,
    /// The axis.
    pub axis: String,
    /// The number of indices per iteration; at least 1.
    pub step: i64,
    /// The treatment of an incomplete last step; `None` if it does not matter or is left to the emitter.
    pub tail: Option<Tail>,
    /// The body.
    pub body: Vec<Node>,
}

/// The treatment of an incomplete last step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tail {
    /// The last step moves back to be complete, and a part is computed again.
    Shift,
    /// Lanes beyond the end are masked.
    Mask,
    /// The remaining indices are visited one by one.
    Scalar,
}

impl Tail {
    /// All treatments with their keywords.
    pub const ALL: [(&'static str, Tail); 3] =
        [("shift", Tail::Shift), ("mask", Tail::Mask), ("scalar", Tail::Scalar)];

    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Tail::Shift => "shift",
            Tail::Mask => "mask",
            Tail::Scalar => "scalar",
        }
    }
}

/// One tile of a statement: `mm[i:6u, j:64v]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Leaf {
    /// The statement.
    pub statement: String,
    /// The indices of the tile; axes that are not listed have one index.
    pub tile: Vec<TileDim>,
    /// Whether stores bypass the caches.
    pub nontemporal: bool,
}

/// The extent of a tile along an axis.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TileDim {
    /// The axis.
    pub axis: String,
    /// The number of indices; at least 1.
    pub size: i64,
    /// Whether they are lanes of vectors; otherwise they are unrolled.
    pub lanes: bool,
}

/// A copy of what a statement reads from an operand inside of the enclosing loops: `pack mm.1[k, j]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pack {
    /// The statement.
    pub statement: String,
    /// The number of the read.
    pub operand: usize,
    /// The order of the dimensions in the copy, the last one contiguous.
    pub axes: Vec<String>,
}

/// A prefetch of what a statement reads from an operand in the next iteration of the enclosing loop: `prefetch mm.1`. It is
/// spread over the iterations of the loops inside.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Prefetch {
    /// The statement.
    pub statement: String,
    /// The number of the read.
    pub operand: usize,
}

impl Plan {
    /// The leaves with the loops around each, outermost first, in order of execution.
    pub fn leaves(&self) -> Vec<(Vec<&Loop>, &Leaf)> {
        fn visit<'p>(
            nodes: &'p [Node],
            around: &mut Vec<&'p Loop>,
            found: &mut Vec<(Vec<&'p Loop>, &'p Leaf)>,
        ) {
            for node in nodes {
                match node {
                    Node::Loop(inner) => {
                        around.push(inner);
                        visit(&inner.body, around, found);
                        around.pop();
                    }
                    Node::Leaf(leaf) => found.push((around.clone(), leaf)),
                    Node::Pack(_) | Node::Prefetch(_) => {}
                }
            }
        }
        let mut found = Vec::new();
        visit(&self.nodes, &mut Vec::new(), &mut found);
        found
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_nodes(f, &self.nodes)
    }
}

fn write_nodes(f: &mut fmt::Formatter<'_>, nodes: &[Node]) -> fmt::Result {
    for (at, node) in nodes.iter().enumerate() {
        if at > 0 {
            write!(f, " ")?;
        }
        match node {
            Node::Loop(inner) => {
                write!(f, "{inner} {{ ")?;
                write_nodes(f, &inner.body)?;
                write!(f, " }}")?;
            }
            Node::Leaf(leaf) => write!(f, "{leaf}")?,
            Node::Pack(pack) => write!(f, "{pack}")?,
            Node::Prefetch(prefetch) => write!(f, "{prefetch}")?,
        }
    }
    Ok(())
}

/// The head of the loop, without its body.
impl fmt::Display for Loop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.parallel { "par" } else { "for" }, self.axis)?;
        if self.step != 1 {
            write!(f, "/{}", self.step)?;
        }
        match self.tail {
            Some(tail) => write!(f, " tail({})", tail.keyword()),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[", self.statement)?;
        for (at, dim) in self.tile.iter().enumerate() {
            let separator = if at > 0 { ", " } else { "" };
            let kind = if dim.lanes { "v" } else { "u" };
            write!(f, "{separator}{}:{}{kind}", dim.axis, dim.size)?;
        }
        write!(f, "]{}", if self.nontemporal { " nt" } else { "" })
    }
}

impl fmt::Display for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pack {}.{}[{}]", self.statement, self.operand, self.axes.join(", "))
    }
}

impl fmt::Display for Prefetch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "prefetch {}.{}", self.statement, self.operand)
    }
}
