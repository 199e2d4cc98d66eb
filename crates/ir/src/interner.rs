//! Hash consing: equal data has one 32-bit id. Thread-safe; lookup by id takes no lock.

use hashbrown::{Equivalent, HashTable};
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};
use std::sync::Mutex;

const SHARDS: usize = 32;

/// A bidirectional map between ids and data. Ids are assigned from 0 in the order of first interning.
pub(crate) struct Interner<T> {
    items: boxcar::Vec<T>,
    shards: [Mutex<HashTable<Entry>>; SHARDS],
}

/// Stores the hash with the id, so that a miss does not access the item.
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    id: u32,
}

impl<T: Eq + Hash> Interner<T> {
    pub(crate) fn new() -> Self {
        Self { items: boxcar::Vec::new(), shards: [const { Mutex::new(HashTable::new()) }; SHARDS] }
    }

    /// The id of `key`; `make` creates the item if the key is new.
    pub(crate) fn intern<Q>(&self, key: &Q, make: impl FnOnce() -> T) -> u32
    where
        Q: ?Sized + Hash + Equivalent<T>,
    {
        let hash = FxBuildHasher.hash_one(key);
        let short = (hash >> 20) as u32;
        let shard = &self.shards[(hash >> 52) as usize % SHARDS];
        let mut table = shard.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let same = |entry: &Entry| entry.hash == short && key.equivalent(&self.items[entry.id as usize]);
        if let Some(entry) = table.find(hash, same) {
            return entry.id;
        }
        let id = u32::try_from(self.items.push(make())).expect("an interner holds at most 2^32 items");
        let rehash = |entry: &Entry| FxBuildHasher.hash_one(&self.items[entry.id as usize]);
        table.insert_unique(hash, Entry { hash: short, id }, rehash);
        id
    }

    /// Adds an item that no key finds.
    pub(crate) fn push_alone(&self, item: T) -> u32 {
        u32::try_from(self.items.push(item)).expect("an interner holds at most 2^32 items")
    }

    /// The id of `key`, if it has been interned.
    pub(crate) fn find<Q>(&self, key: &Q) -> Option<u32>
    where
        Q: ?Sized + Hash + Equivalent<T>,
    {
        let hash = FxBuildHasher.hash_one(key);
        let short = (hash >> 20) as u32;
        let shard = &self.shards[(hash >> 52) as usize % SHARDS];
        let table = shard.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let same = |entry: &Entry| entry.hash == short && key.equivalent(&self.items[entry.id as usize]);
        table.find(hash, same).map(|entry| entry.id)
    }

    /// The item with this id.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> &T {
        &self.items[id as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.items.count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_share_an_id_across_threads() {
        let interner = Interner::<Box<str>>::new();
        let keys: Vec<String> = (0..1000).map(|i| format!("name{i}")).collect();
        let intern_all = || {
            keys.iter().map(|key| interner.intern(key.as_str(), || key.as_str().into())).collect::<Vec<_>>()
        };
        let (left, right) = std::thread::scope(|scope| {
            let left = scope.spawn(intern_all);
            let right = scope.spawn(intern_all);
            (left.join().expect("no panic"), right.join().expect("no panic"))
        });
        assert_eq!(left, right);
        assert_eq!(interner.len(), 1000);
        for (key, &id) in keys.iter().zip(&left) {
            assert_eq!(&**interner.get(id), key.as_str());
            assert_eq!(interner.find(key.as_str()), Some(id));
        }
        assert_eq!(interner.find("other"), None);
    }
}
