//! Index paths: the keys from the root of a structure to a leaf.

use std::fmt;

/// A key: an integer in a sequence, a string in a dictionary. Integers sort by value, before strings, which sort
/// bytewise.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Key {
    /// An index in a sequence. Negative only if parsed in lenient mode.
    Index(i32),
    /// A name in a dictionary: arbitrary bytes.
    Name(Vec<u8>),
}

impl Key {
    /// The kind of container that has keys of this kind.
    pub fn container(&self) -> Container {
        match self {
            Self::Index(_) => Container::Sequence,
            Self::Name(_) => Container::Dictionary,
        }
    }
}

impl From<&str> for Key {
    fn from(name: &str) -> Self {
        Self::Name(name.into())
    }
}

impl From<i32> for Key {
    fn from(index: i32) -> Self {
        Self::Index(index)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Index(index) => index.fmt(f),
            Self::Name(name) => write!(f, "\"{}\"", name.escape_ascii()),
        }
    }
}

/// A kind of container.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Container {
    /// Values with integer keys.
    Sequence,
    /// Values with string keys.
    Dictionary,
}

impl Container {
    /// The tag of its span.
    pub fn tag(self) -> u8 {
        match self {
            Self::Sequence => b'S',
            Self::Dictionary => b'D',
        }
    }
}

/// The value at the end of an index path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Leaf {
    /// A raw value by index. Negative only if parsed in lenient mode.
    Raw(i32),
    /// An empty container.
    Empty(Container),
}

impl From<i32> for Leaf {
    fn from(index: i32) -> Self {
        Self::Raw(index)
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Raw(index) => write!(f, "raw({index})"),
            Self::Empty(Container::Sequence) => f.write_str("an empty sequence"),
            Self::Empty(Container::Dictionary) => f.write_str("an empty dictionary"),
        }
    }
}

/// Displays an index path as `[0]["x"]`; the root as `the root`.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a>(pub &'a [Key]);

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the root");
        }
        self.0.iter().try_for_each(|key| write!(f, "[{key}]"))
    }
}

/// The reason why values cannot be assigned to their index paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathError {
    /// Two values conflict.
    Conflict {
        /// The longest common prefix of their paths.
        path: Vec<Key>,
        /// The leaves, by path and then by index.
        leaves: [Leaf; 2],
        /// The kind of conflict.
        reason: Conflict,
    },
    /// A raw index or a key is negative.
    Negative {
        /// The path of the value.
        path: Vec<Key>,
        /// The value.
        leaf: Leaf,
    },
}

/// The kind of conflict between two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conflict {
    /// Both have the same path.
    SamePlace,
    /// The first is a leaf where the second requires a container.
    Inside,
    /// The first requires a sequence and the second a dictionary.
    KeyKinds,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Conflict { path, leaves: [first, second], reason } => {
                let path = Path(path);
                match reason {
                    Conflict::SamePlace => write!(f, "{first} and {second} are both at {path}"),
                    Conflict::Inside => {
                        write!(f, "{first} is at {path}, where {second} requires a container")
                    }
                    Conflict::KeyKinds => {
                        write!(f, "{first} needs a sequence at {path}, and {second} a dictionary")
                    }
                }
            }
            Self::Negative { path, leaf } => {
                write!(f, "{leaf} at {}: indices and integer keys are not negative", Path(path))
            }
        }
    }
}

impl std::error::Error for PathError {}

/// Rejects a leaf with a negative index or key.
pub(crate) fn check(path: &[Key], leaf: Leaf) -> Result<(), PathError> {
    let negative_key = path.iter().any(|key| matches!(key, Key::Index(..0)));
    if negative_key || matches!(leaf, Leaf::Raw(..0)) {
        return Err(PathError::Negative { path: path.to_vec(), leaf });
    }
    Ok(())
}

/// Rejects two leaves, in ascending order of their paths, if they conflict.
///
/// In a sorted list it suffices to compare neighbors: paths with a common prefix are adjacent, the prefix itself
/// comes first, and integer keys precede string keys.
pub(crate) fn exclude(first: (&[Key], Leaf), second: (&[Key], Leaf)) -> Result<(), PathError> {
    let shared = common(first.0, second.0);
    let (reason, mut leaves) = match (first.0.get(shared), second.0.get(shared)) {
        (None, None) => (Conflict::SamePlace, [first.1, second.1]),
        (None, Some(_)) | (Some(_), None) => (Conflict::Inside, [first.1, second.1]),
        (Some(a), Some(b)) if a.container() == b.container() => return Ok(()),
        (Some(_), Some(_)) => (Conflict::KeyKinds, [first.1, second.1]),
    };
    if reason == Conflict::SamePlace {
        leaves.sort_by_key(rank);
    }
    Err(PathError::Conflict { path: first.0[..shared].to_vec(), leaves, reason })
}

/// The order of leaves at the same path.
pub(crate) fn rank(leaf: &Leaf) -> (u8, i32) {
    match *leaf {
        Leaf::Raw(index) => (0, index),
        Leaf::Empty(Container::Sequence) => (1, 0),
        Leaf::Empty(Container::Dictionary) => (2, 0),
    }
}

/// The length of the longest common prefix of two paths.
pub(crate) fn common(a: &[Key], b: &[Key]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
