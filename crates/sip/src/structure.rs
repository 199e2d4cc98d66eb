//! Structures: nested sequences and dictionaries with raw values at their leaves.

use crate::component::SignatureBuilder;
use crate::encode;
use crate::error::Error;
use crate::function::{Function, Judge, Mode, Parsed};
use crate::node::NodeRef;
use crate::parse::{self, SipVisitor};
use crate::path::{self, Container, Key, Leaf, PathError};
use crate::pretty::one_line;
use std::fmt;

/// Nested sequences and dictionaries whose leaves are indices of raw values; may be empty.
///
/// The nodes are stored in one list in preorder, so that structures of any depth can be cloned, compared and dropped.
/// Children are sorted by key, except in a structure parsed in lenient mode, which keeps the order of the text.
///
/// Displays on one line, with quoted keys: `[0: {"x": raw(1), "y": raw(0)}]`. [`pretty`](crate::pretty) is the
/// indented form of the original implementation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Structure {
    pub(crate) nodes: Vec<Node>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    /// `None` for the root.
    pub(crate) key: Option<Key>,
    pub(crate) content: Content,
    /// The index of the first node after this node's subtree.
    pub(crate) end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    Raw(i32),
    Container(Container),
}

impl Structure {
    /// Builds a structure from values at index paths, in any order. Without paths, the structure is empty.
    ///
    /// # Errors
    /// Two values conflict, or an index or key is negative. The error does not depend on the order of the paths.
    ///
    /// ```
    /// use minoan_sip::{Key, Structure};
    ///
    /// let below = [(vec![Key::Index(0)], 0), (vec![Key::Index(0), Key::from("x")], 1)];
    /// let error = Structure::from_paths(below).unwrap_err();
    /// assert_eq!(error.to_string(), "raw(0) is at [0], where raw(1) requires a container");
    /// ```
    pub fn from_paths<P, L>(paths: impl IntoIterator<Item = (P, L)>) -> Result<Self, PathError>
    where
        P: Into<Vec<Key>>,
        L: Into<Leaf>,
    {
        let mut leaves: Vec<(Vec<Key>, Leaf)> =
            paths.into_iter().map(|(path, leaf)| (path.into(), leaf.into())).collect();
        leaves.sort_by(|(a, a_leaf), (b, b_leaf)| {
            a.cmp(b).then_with(|| path::rank(a_leaf).cmp(&path::rank(b_leaf)))
        });
        leaves.iter().try_for_each(|(path, leaf)| path::check(path, *leaf))?;
        for pair in leaves.windows(2) {
            path::exclude((&pair[0].0, pair[0].1), (&pair[1].0, pair[1].1))?;
        }
        Ok(Self::from_sorted(leaves.iter().map(|(path, leaf)| (path.as_slice(), *leaf))))
    }

    /// Builds a structure from conflict-free leaves sorted by path.
    pub(crate) fn from_sorted<'a>(leaves: impl IntoIterator<Item = (&'a [Key], Leaf)>) -> Self {
        let mut build = Builder::default();
        let mut before: &[Key] = &[];
        for (path, leaf) in leaves {
            let shared = path::common(before, path);
            while build.open.len() > shared + 1 {
                build.close();
            }
            for depth in build.open.len()..path.len() {
                build.open(depth.checked_sub(1).map(|at| path[at].clone()), path[depth].container());
            }
            let key = path.last().cloned();
            match leaf {
                Leaf::Raw(index) => build.raw(key, index),
                Leaf::Empty(container) => {
                    build.open(key, container);
                    build.close();
                }
            }
            before = path;
        }
        while !build.open.is_empty() {
            build.close();
        }
        build.structure
    }

    /// A sequence of `count` raw values in order, the form of a function's arguments; empty if `count` is 0.
    pub fn arguments(count: u32) -> Self {
        let count = i32::try_from(count).unwrap_or(i32::MAX);
        let paths: Vec<(Key, Leaf)> = (0..count).map(|at| (Key::Index(at), Leaf::Raw(at))).collect();
        Self::from_sorted(paths.iter().map(|(key, leaf)| (std::slice::from_ref(key), *leaf)))
    }

    /// The form of a function's results: empty, one value, or a sequence of several.
    pub fn results(count: u32) -> Self {
        match count {
            1 => Self::from_sorted([(&[][..], Leaf::Raw(0))]),
            count => Self::arguments(count),
        }
    }

    /// The root; `None` if the structure is empty.
    ///
    /// ```
    /// use minoan_sip::{Key, Structure};
    ///
    /// let structure = Structure::from_paths([(vec![Key::from("y")], 0), (vec![Key::from("x")], 1)])?;
    /// let root = structure.root().expect("two leaves");
    /// assert_eq!(root.children().map(|leaf| leaf.raw()).collect::<Vec<_>>(), [Some(1), Some(0)]);
    /// # Ok::<(), minoan_sip::PathError>(())
    /// ```
    pub fn root(&self) -> Option<NodeRef<'_>> {
        NodeRef::root(self)
    }

    /// The number of containers around the deepest leaf.
    pub fn depth(&self) -> usize {
        let mut open: Vec<usize> = Vec::new();
        let mut depth = 0;
        for (at, node) in self.nodes.iter().enumerate() {
            while open.last().is_some_and(|&end| end <= at) {
                open.pop();
            }
            if let Content::Container(_) = node.content {
                open.push(node.end);
            }
            depth = depth.max(open.len());
        }
        depth
    }

    /// Whether the structure is empty.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The raw indices at the leaves, in structure order.
    pub fn raw_indices(&self) -> impl Iterator<Item = i32> {
        self.nodes.iter().filter_map(|node| match node.content {
            Content::Raw(index) => Some(index),
            Content::Container(_) => None,
        })
    }

    /// The leaves with their index paths, in structure order.
    pub fn paths(&self) -> Vec<(Vec<Key>, Leaf)> {
        let mut leaves = Vec::new();
        let mut path: Vec<Key> = Vec::new();
        // The end of each open node, and the length of its path.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            while open.last().is_some_and(|&(end, _)| end <= at) {
                open.pop();
            }
            path.truncate(open.last().map_or(0, |&(_, length)| length));
            path.extend(node.key.clone());
            match node.content {
                Content::Raw(index) => leaves.push((path.clone(), Leaf::Raw(index))),
                Content::Container(container) if node.end == at + 1 => {
                    leaves.push((path.clone(), Leaf::Empty(container)));
                }
                Content::Container(_) => open.push((node.end, path.len())),
            }
        }
        leaves
    }

    /// Passes the structure to a visitor, in the same order as [`SipSignatureParser`](crate::SipSignatureParser) does
    /// for a text.
    ///
    /// # Errors
    /// The visitor's error.
    pub fn visit(&self, visitor: &mut impl SipVisitor) -> Result<(), String> {
        let mut open: Vec<(usize, Container)> = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            close_until(&mut open, at, visitor)?;
            match &node.key {
                None => {}
                Some(Key::Index(index)) => visitor.integer_key(*index)?,
                Some(Key::Name(name)) => visitor.string_key(name)?,
            }
            match node.content {
                Content::Raw(index) => visitor.map_to_raw(index)?,
                Content::Container(container) => {
                    visitor.open_struct(container)?;
                    open.push((node.end, container));
                }
            }
        }
        close_until(&mut open, self.nodes.len(), visitor)
    }

    /// Checks that the raw indices are a permutation of 0 to `arity`.
    ///
    /// # Errors
    /// The first violation in structure order, or the smallest missing index.
    pub fn check_arity(&self, side: Side, arity: usize) -> Result<(), ArityError> {
        let mut seen = vec![false; arity];
        for index in self.raw_indices() {
            let place = usize::try_from(index).ok().and_then(|index| seen.get_mut(index));
            match place {
                None => return Err(ArityError::OutOfRange { side, index, arity }),
                Some(true) => return Err(ArityError::Repeated { side, index }),
                Some(place) => *place = true,
            }
        }
        match seen.iter().position(|seen| !seen) {
            Some(index) => Err(ArityError::Missing { side, index, arity }),
            None => Ok(()),
        }
    }
}

fn close_until(
    open: &mut Vec<(usize, Container)>,
    at: usize,
    visitor: &mut impl SipVisitor,
) -> Result<(), String> {
    while let Some(&(end, container)) = open.last() {
        if end > at {
            break;
        }
        open.pop();
        visitor.close_struct(container)?;
    }
    Ok(())
}

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&one_line(self))
    }
}

/// Builds a structure in preorder.
#[derive(Default)]
struct Builder {
    structure: Structure,
    open: Vec<usize>,
    /// The key of the next value.
    key: Option<Key>,
}

impl Builder {
    fn open(&mut self, key: Option<Key>, container: Container) {
        self.open.push(self.structure.nodes.len());
        self.structure.nodes.push(Node { key, content: Content::Container(container), end: 0 });
    }

    fn raw(&mut self, key: Option<Key>, index: i32) {
        let end = self.structure.nodes.len() + 1;
        self.structure.nodes.push(Node { key, content: Content::Raw(index), end });
    }

    fn close(&mut self) {
        let end = self.structure.nodes.len();
        if let Some(at) = self.open.pop() {
            self.structure.nodes[at].end = end;
        }
    }
}

impl SipVisitor for Builder {
    fn integer_key(&mut self, key: i32) -> Result<(), String> {
        self.key = Some(Key::Index(key));
        Ok(())
    }

    fn string_key(&mut self, key: &[u8]) -> Result<(), String> {
        self.key = Some(Key::Name(key.into()));
        Ok(())
    }

    fn open_struct(&mut self, container: Container) -> Result<(), String> {
        let key = self.key.take();
        self.open(key, container);
        Ok(())
    }

    fn close_struct(&mut self, _: Container) -> Result<(), String> {
        self.close();
        Ok(())
    }

    fn map_to_raw(&mut self, index: i32) -> Result<(), String> {
        let key = self.key.take();
        self.raw(key, index);
        Ok(())
    }
}

/// Inputs or results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The inputs of a function.
    Inputs,
    /// The results of a function.
    Results,
}

impl Side {
    fn singular(self) -> &'static str {
        match self {
            Self::Inputs => "input",
            Self::Results => "result",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Inputs => "inputs",
            Self::Results => "results",
        })
    }
}

/// The reason why a structure does not match the number of raw values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArityError {
    /// The raw index is out of range.
    OutOfRange {
        /// The side of the signature.
        side: Side,
        /// The index.
        index: i32,
        /// The number of raw values.
        arity: usize,
    },
    /// A raw value occurs at two positions.
    Repeated {
        /// The side of the signature.
        side: Side,
        /// The index.
        index: i32,
    },
    /// A raw value does not occur.
    Missing {
        /// The side of the signature.
        side: Side,
        /// The index.
        index: usize,
        /// The number of raw values.
        arity: usize,
    },
}

impl fmt::Display for ArityError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::OutOfRange { side, index, arity } => {
                write!(f, "{} raw({index}) does not exist: there are {arity}", side.singular())
            }
            Self::Repeated { side, index } => {
                write!(f, "{} raw({index}) occurs twice", side.singular())
            }
            Self::Missing { side, index, arity } => {
                write!(f, "{} raw({index}) of {arity} is missing", side.singular())
            }
        }
    }
}

impl std::error::Error for ArityError {}

/// The structured signature of a function: the position of each raw value.
///
/// Displays as `([0: raw(0)]) -> (raw(0))`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SipSignature {
    /// The structure of the inputs.
    pub inputs: Structure,
    /// The structure of the results.
    pub results: Structure,
}

impl SipSignature {
    /// The value of the attribute `abi`.
    pub const ABI: &str = "sip";
    /// The value of the attribute `abiv`.
    pub const VERSION: i32 = 1;

    /// The signature of a function with positional arguments and no result, one result, or a sequence of results.
    pub fn positional(inputs: u32, results: u32) -> Self {
        Self { inputs: Structure::arguments(inputs), results: Structure::results(results) }
    }

    /// Encodes the text, which is canonical if the structures are.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = SignatureBuilder::new();
        encode::span(&mut out, b'I', &self.inputs);
        encode::span(&mut out, b'R', &self.results);
        out.into_encoded()
    }

    /// Parses a text.
    ///
    /// # Errors
    /// The text is malformed or, in strict mode, not canonical, which requires that its raw indices are a permutation
    /// of 0 to their number.
    pub fn parse(text: &[u8], mode: Mode) -> Result<Parsed<Self>, Error> {
        let mut judge = Judge::new(text, mode);
        let function = Function::parse(text, &mut judge)?;
        let mut side = |span| {
            let mut builder = Builder::default();
            parse::visit(text, span, &mut judge, &mut builder)?;
            Ok(builder.structure)
        };
        let signature = Self { inputs: side(function.inputs)?, results: side(function.results)? };
        Ok(Parsed { signature, deviations: judge.into_deviations() })
    }

    /// Checks that each raw value of a function occurs exactly once.
    ///
    /// # Errors
    /// The first raw value that is missing, repeated or out of range.
    pub fn check_arity(&self, inputs: usize, results: usize) -> Result<(), ArityError> {
        self.inputs.check_arity(Side::Inputs, inputs)?;
        self.results.check_arity(Side::Results, results)
    }
}

impl fmt::Display for SipSignature {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "({}) -> ({})", self.inputs, self.results)
    }
}
