//! Traversal of a structure from its root.

use crate::path::{Container, Key};
use crate::structure::{Content, Structure};

/// A node of a structure: a leaf or a container.
#[derive(Clone, Copy, Debug)]
pub struct NodeRef<'a> {
    structure: &'a Structure,
    at: usize,
}

impl<'a> NodeRef<'a> {
    pub(crate) fn root(structure: &'a Structure) -> Option<Self> {
        (!structure.is_empty()).then_some(Self { structure, at: 0 })
    }

    /// The key in the enclosing container; `None` for the root.
    pub fn key(self) -> Option<&'a Key> {
        self.structure.nodes[self.at].key.as_ref()
    }

    /// The raw index of a leaf; `None` for a container.
    pub fn raw(self) -> Option<i32> {
        match self.structure.nodes[self.at].content {
            Content::Raw(index) => Some(index),
            Content::Container(_) => None,
        }
    }

    /// The kind of a container; `None` for a leaf.
    pub fn container(self) -> Option<Container> {
        match self.structure.nodes[self.at].content {
            Content::Raw(_) => None,
            Content::Container(container) => Some(container),
        }
    }

    /// The children of a container, in key order.
    pub fn children(self) -> impl Iterator<Item = NodeRef<'a>> {
        let nodes = &self.structure.nodes;
        let end = nodes[self.at].end;
        let at = move |at: usize| (at < end).then_some(NodeRef { at, ..self });
        std::iter::successors(at(self.at + 1), move |child| at(nodes[child.at].end))
    }
}
