//! What was met lately: a table in which a later entry takes the place of an earlier one.

/// Places of a table.
const PLACES: usize = 1024;

/// A place without an entry.
const FREE: u16 = u16::MAX;

/// Entries, each at the place that its hash gives it. A program has few different ones, so they stand side by side, and
/// nothing is there before the first.
pub(crate) struct RecentCache<T> {
    entries: Vec<T>,
    /// Positions in `entries`.
    places: Vec<u16>,
}

impl<T> Default for RecentCache<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: Vec::new() }
    }
}

/// The place of a hash: its upper bits depend on all others.
#[inline]
fn place(hash: u64) -> usize {
    (hash >> (u64::BITS - PLACES.trailing_zeros())) as usize
}

impl<T> RecentCache<T> {
    /// The entry at the place of a hash, which may be that of another one.
    #[inline]
    pub(crate) fn get(&self, hash: u64) -> Option<&T> {
        self.entries.get(usize::from(*self.places.get(place(hash))?))
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, hash: u64) -> Option<&mut T> {
        self.entries.get_mut(usize::from(*self.places.get(place(hash))?))
    }

    /// Puts an entry at the place of a hash.
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
    fn a_later_entry_takes_the_place() {
        let mut table = RecentCache::default();
        assert_eq!(table.get(7), None);
        let hashes = [0, 1 << 60, u64::MAX, 1];
        for (entry, hash) in hashes.into_iter().enumerate() {
            table.put(hash, entry);
        }
        // The first and the last have one place.
        assert_eq!(hashes.map(|hash| table.get(hash).copied()), [Some(3), Some(1), Some(2), Some(3)]);
        assert_eq!(table.entries.len(), 3);
    }
}
