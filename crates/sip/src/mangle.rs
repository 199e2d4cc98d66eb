//! Builds structured signatures leaf by leaf.

use crate::path::{self, Key, Leaf, PathError};
use crate::structure::{SipSignature, Structure};
use std::collections::BTreeMap;
use std::ops::Bound;

/// Collects the positions of raw values, in any order.
///
/// A leaf that conflicts with an accepted one is rejected and has no effect.
#[derive(Clone, Debug, Default)]
pub struct SipSignatureMangler {
    leaves: BTreeMap<Vec<Key>, Leaf>,
}

impl SipSignatureMangler {
    /// Creates an empty mangler.
    pub fn new() -> Self {
        Self::default()
    }

    /// Assigns the raw value with this index to an index path.
    ///
    /// # Errors
    /// The path conflicts with another value, or a number is negative.
    pub fn set_raw_signature_index(&mut self, index: i32, path: &[Key]) -> Result<(), PathError> {
        self.set(path, Leaf::Raw(index))
    }

    /// Assigns a raw value or an empty container to an index path.
    ///
    /// # Errors
    /// The path conflicts with another value, or a number is negative.
    pub fn set(&mut self, path: &[Key], leaf: Leaf) -> Result<(), PathError> {
        path::check(path, leaf)?;
        let before = self.leaves.range::<[Key], _>((Bound::Unbounded, Bound::Excluded(path))).next_back();
        if let Some((other, &other_leaf)) = before {
            path::exclude((other, other_leaf), (path, leaf))?;
        }
        let after = self.leaves.range::<[Key], _>((Bound::Included(path), Bound::Unbounded)).next();
        if let Some((other, &other_leaf)) = after {
            path::exclude((path, leaf), (other, other_leaf))?;
        }
        self.leaves.insert(path.to_vec(), leaf);
        Ok(())
    }

    /// The structure so far.
    pub fn structure(&self) -> Structure {
        Structure::from_sorted(self.leaves.iter().map(|(path, leaf)| (path.as_slice(), *leaf)))
    }

    /// Encodes the canonical text of a function's signature.
    pub fn to_function_signature(inputs: &Self, results: &Self) -> Vec<u8> {
        SipSignature { inputs: inputs.structure(), results: results.structure() }.encode()
    }
}
