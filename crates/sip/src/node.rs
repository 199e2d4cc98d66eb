//! A structure, walked from the root.

use crate::path::{Container, Key};
use crate::structure::{Content, Structure};

/// A place in a structure: a leaf or a container.
#[derive(Clone, Copy, Debug)]
pub struct NodeRef<'a> {
    structure: &'a Structure,
    at: usize,
}

impl<'a> NodeRef<'a> {
    pub(crate) fn root(structure: &'a Structure) -> Option<Self> {
        (!structure.is_empty()).then_some(Self { structure, at: 0 })
    }

    /// Its key in the container around it; the root has none.
    pub fn key(self) -> Option<&'a Key> {
        self.structure.nodes[self.at].key.as_ref()
    }

    /// The raw index of a leaf.
    pub fn raw(self) -> Option<i32> {
        match self.structure.nodes[self.at].content {
            Content::Raw(index) => Some(index),
            Content::Container(_) => None,
        }
    }

    /// What kind of container it is; nothing for a leaf.
    pub fn container(self) -> Option<Container> {
        match self.structure.nodes[self.at].content {
            Content::Raw(_) => None,
            Content::Container(container) => Some(container),
        }
    }

    /// What is in a container, in the order of the keys.
    pub fn children(self) -> impl Iterator<Item = NodeRef<'a>> {
        let nodes = &self.structure.nodes;
        let end = nodes[self.at].end;
        let at = move |at: usize| (at < end).then_some(NodeRef { at, ..self });
        std::iter::successors(at(self.at + 1), move |child| at(nodes[child.at].end))
    }
}
