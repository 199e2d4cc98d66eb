//! A direct-mapped cache: a later entry replaces an earlier one with the same slot.

/// The number of slots.
const PLACES: usize = 1024;

/// An empty slot.
const FREE: u16 = u16::MAX;

/// The entries and the slots that refer to them. A program has few different entries, so they are stored
/// contiguously, and allocated with the first one.
pub(crate) struct RecentCache<T> {
    entries: Vec<T>,
    /// Indices into `entries`.
    places: Vec<u16>,
}

impl<T> Default for RecentCache<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: Vec::new() }
    }
}

/// The slot of a hash: multiplication makes the upper bits depend on all others.
#[inline]
fn place(hash: u64) -> usize {
    (hash >> (u64::BITS - PLACES.trailing_zeros())) as usize
}

impl<T> RecentCache<T> {
    /// The entry in the slot of a hash, which may belong to another hash.
    #[inline]
    pub(crate) fn get(&self, hash: u64) -> Option<&T> {
        self.entries.get(usize::from(*self.places.get(place(hash))?))
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, hash: u64) -> Option<&mut T> {
        self.entries.get_mut(usize::from(*self.places.get(place(hash))?))
    }

    /// Stores an entry in the slot of a hash.
    pub(crate) fn put(&mut self, hash: u64, entry: T) {
        if let Some(before) = self.get_mut(hash) {
            *before = entry;
            return;
        }
        if self.places.is_empty() {
            self.places = vec![FREE; PLACES];
        }
        self.places[place(hash)] = self.entries.len() as u16;
        self.entries.push(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_entry_replaces_earlier() {
        let mut table = RecentCache::default();
        assert_eq!(table.get(7), None);
        let hashes = [0, 1 << 60, u64::MAX, 1];
        for (entry, hash) in hashes.into_iter().enumerate() {
            table.put(hash, entry);
        }
        // The first and the last share a slot.
        assert_eq!(hashes.map(|hash| table.get(hash).copied()), [Some(3), Some(1), Some(2), Some(3)]);
        assert_eq!(table.entries.len(), 3);
    }
}
