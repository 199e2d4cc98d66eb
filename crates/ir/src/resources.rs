//! Resources: data that a file carries beside its operations, by key.
//!
//! A `dense_resource<key>` attribute names an entry of the dialect `builtin`; tools keep what they like in external
//! entries. Both are kept in the order of the text. Printing leaves out entries of `builtin` that no attribute names.

/// The value of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Resource {
    /// `true` or `false`.
    Bool(bool),
    /// Text, in bytes.
    String(Box<[u8]>),
    /// `"0x04000000.."`: raw data.
    Blob {
        /// What the address of the data must be a multiple of; a power of two.
        alignment: u32,
        /// The bytes.
        data: Box<[u8]>,
    },
}

/// Entries by their owner, then by their key.
pub(crate) type Owned = Vec<(String, Vec<(String, Resource)>)>;

/// The resource sections of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Resources {
    /// Entries of dialects.
    pub(crate) dialects: Owned,
    /// Entries of tools.
    pub(crate) external: Owned,
}

impl Resources {
    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.dialects.is_empty() && self.external.is_empty()
    }

    /// The entry of a dialect: `dialect("builtin", "weights")` is what `dense_resource<weights>` names.
    pub fn dialect(&self, dialect: &str, key: &str) -> Option<&Resource> {
        find(&self.dialects, dialect, key)
    }

    /// The entry of a tool.
    pub fn external(&self, owner: &str, key: &str) -> Option<&Resource> {
        find(&self.external, owner, key)
    }

    /// Sets the entry of a dialect.
    pub fn set_dialect(&mut self, dialect: &str, key: &str, value: Resource) {
        Self::insert(&mut self.dialects, dialect, key, value);
    }

    /// Sets the entry of a tool.
    pub fn set_external(&mut self, owner: &str, key: &str, value: Resource) {
        Self::insert(&mut self.external, owner, key, value);
    }

    /// Takes out all entries of a tool.
    pub fn remove_external(&mut self, owner: &str) {
        self.external.retain(|(name, _)| name != owner);
    }

    pub(crate) fn insert(owned: &mut Owned, owner: &str, key: &str, value: Resource) {
        let at = owned.iter().position(|(name, _)| name == owner).unwrap_or_else(|| {
            owned.push((owner.to_owned(), Vec::new()));
            owned.len() - 1
        });
        let entries = &mut owned[at].1;
        match entries.iter_mut().find(|(name, _)| name == key) {
            Some(entry) => entry.1 = value,
            None => entries.push((key.to_owned(), value)),
        }
    }
}

fn find<'r>(owned: &'r Owned, owner: &str, key: &str) -> Option<&'r Resource> {
    let (_, entries) = owned.iter().find(|(name, _)| name == owner)?;
    entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
}
