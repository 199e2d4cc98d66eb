//! Index paths: the keys from the root of a structure to a leaf.

use std::fmt;

/// A key: integers in sequences, strings in dictionaries. Integers sort by value and before strings, those bytewise.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Key {
    /// A place in a sequence. Negative ones can only come from a text read in lenient mode.
    Index(i32),
    /// A name in a dictionary: any bytes.
    Name(Vec<u8>),
}

impl Key {
    /// The kind of container that has such keys.
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
    /// Values behind integers.
    Sequence,
    /// Values behind strings.
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

/// What stands at the end of an index path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Leaf {
    /// The raw value with an index. Negative ones can only come from a text read in lenient mode.
    Raw(i32),
    /// A container with nothing in it.
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

/// An index path for people: `[0]["x"]`; the root is `the root`.
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

/// Why values cannot stand at the index paths given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathError {
    /// Two values exclude each other.
    Conflict {
        /// The longest path that both have in common.
        path: Vec<Key>,
        /// The two, the smaller path and then the smaller index first.
        leaves: [Leaf; 2],
        /// Why.
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

/// Why two values exclude each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conflict {
    /// They stand at the same path.
    SamePlace,
    /// The first stands where the second needs a container.
    Inside,
    /// The first needs a sequence and the second a dictionary.
    KeyKinds,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Conflict { path, leaves: [first, second], reason } => {
                let path = Path(path);
                match reason {
                    Conflict::SamePlace => write!(f, "{first} and {second} both stand at {path}"),
                    Conflict::Inside => {
                        write!(f, "{first} stands at {path}, where {second} needs a container")
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

/// A leaf with its path is refused when it has negative numbers.
pub(crate) fn check(path: &[Key], leaf: Leaf) -> Result<(), PathError> {
    let negative_key = path.iter().any(|key| matches!(key, Key::Index(..0)));
    if negative_key || matches!(leaf, Leaf::Raw(..0)) {
        return Err(PathError::Negative { path: path.to_vec(), leaf });
    }
    Ok(())
}

/// Whether two leaves, the smaller path first, exclude each other.
///
/// In a sorted row it is enough to ask this of neighbours: the paths that begin with one prefix stand together, the
/// prefix itself first, and integer keys before string keys.
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

/// Orders leaves at the same path.
pub(crate) fn rank(leaf: &Leaf) -> (u8, i32) {
    match *leaf {
        Leaf::Raw(index) => (0, index),
        Leaf::Empty(Container::Sequence) => (1, 0),
        Leaf::Empty(Container::Dictionary) => (2, 0),
    }
}

/// How many keys two paths begin with in common.
pub(crate) fn common(a: &[Key], b: &[Key]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
