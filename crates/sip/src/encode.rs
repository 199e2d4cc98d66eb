//! Encodes structures in two passes over the nodes: sizes from the back, then the text from the front.

use crate::component::{SignatureBuilder, integer_size, span_size};
use crate::path::Key;
use crate::structure::{Content, Node, Structure};

/// Appends a span with a structure.
pub(crate) fn span(out: &mut SignatureBuilder, tag: u8, structure: &Structure) {
    let nodes = &structure.nodes;
    let contents = contents(nodes);
    out.open(tag, children(nodes, &contents, 0, nodes.len()));
    for (node, &size) in nodes.iter().zip(&contents) {
        match &node.key {
            None => {}
            Some(Key::Index(index)) => {
                out.integer(b'k', *index);
            }
            Some(Key::Name(name)) => {
                out.span(b'K', name);
            }
        }
        match node.content {
            Content::Raw(index) => {
                out.integer(b'_', index);
            }
            Content::Container(container) => out.open(container.tag(), size),
        }
    }
}

/// The number of bytes between `!` and the end of each container; 0 for a leaf.
fn contents(nodes: &[Node]) -> Vec<usize> {
    let mut contents = vec![0; nodes.len()];
    for at in (0..nodes.len()).rev() {
        if let Content::Container(_) = nodes[at].content {
            contents[at] = children(nodes, &contents, at + 1, nodes[at].end);
        }
    }
    contents
}

/// The size in bytes of the siblings from `at` to `end`, including keys.
fn children(nodes: &[Node], contents: &[usize], mut at: usize, end: usize) -> usize {
    let mut size = 0;
    while at < end {
        let node = &nodes[at];
        size += match &node.key {
            None => 0,
            Some(Key::Index(index)) => integer_size(*index),
            Some(Key::Name(name)) => span_size(name.len()),
        };
        size += match node.content {
            Content::Raw(index) => integer_size(index),
            Content::Container(_) => span_size(contents[at]),
        };
        at = node.end;
    }
    size
}
