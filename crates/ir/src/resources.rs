//! Resources: keyed data stored in a file in addition to its operations.
//!
//! A `dense_resource<key>` attribute refers to an entry of the dialect `builtin`; external entries belong to tools.
//! Both keep the order of the text. Entries of `builtin` that no attribute refers to are not printed.

/// The value of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Resource {
    /// `true` or `false`.
    Bool(bool),
    /// A string of bytes.
    String(Box<[u8]>),
    /// `"0x04000000.."`: raw data.
    Blob {
        /// The alignment of the data, a power of two.
        alignment: u32,
        /// The bytes.
        data: Box<[u8]>,
    },
}

/// Entries by owner, then by key.
pub(crate) type Owned = Vec<(String, Vec<(String, Resource)>)>;

/// The resource sections of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Resources {
    /// The entries of dialects.
    pub(crate) dialects: Owned,
    /// The entries of tools.
    pub(crate) external: Owned,
}

impl Resources {
    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.dialects.is_empty() && self.external.is_empty()
    }

    /// An entry of a dialect: `dense_resource<weights>` refers to `dialect("builtin", "weights")`.
    pub fn dialect(&self, dialect: &str, key: &str) -> Option<&Resource> {
        find(&self.dialects, dialect, key)
    }

    /// An entry of a tool.
    pub fn external(&self, owner: &str, key: &str) -> Option<&Resource> {
        find(&self.external, owner, key)
    }

    /// Sets an entry of a dialect.
    pub fn set_dialect(&mut self, dialect: &str, key: &str, value: Resource) {
        Self::insert(&mut self.dialects, dialect, key, value);
    }

    /// Sets an entry of a tool.
    pub fn set_external(&mut self, owner: &str, key: &str, value: Resource) {
        Self::insert(&mut self.external, owner, key, value);
    }

    /// Removes all entries of a tool.
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
