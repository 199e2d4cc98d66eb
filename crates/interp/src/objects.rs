//! The objects of an execution whose owners the program counts.

use minoan_services::{Datum, Object, Trap};
use rustc_hash::{FxHashMap, FxHashSet};

/// The created objects; most freed ones have been removed.
#[derive(Default)]
pub(crate) struct Objects {
    created: Vec<Object>,
    live: i64,
    /// The number of created objects at which the freed ones are removed.
    full: usize,
}

/// The smallest value of [`Objects::full`].
const FULL: usize = 1 << 12;

/// The object in a slot.
fn object_of(slot: &Datum) -> Option<&Object> {
    match slot {
        Datum::Object(object) => Some(object),
        _ => None,
    }
}

fn is_live(object: &Object) -> bool {
    object.count().is_some_and(|count| count > 0)
}

impl Objects {
    pub(crate) fn count(&mut self, change: i64) {
        self.live += change;
    }

    pub(crate) fn live(&self) -> i64 {
        self.live
    }

    pub(crate) fn add(&mut self, object: &Object) {
        self.live += 1;
        if self.created.len() >= self.full.max(FULL) {
            self.created.retain(is_live);
            self.full = self.created.len() * 2;
        }
        self.created.push(object.clone());
    }

    /// See [`Interpreter::check_owners`](crate::Interpreter::check_owners).
    pub(crate) fn check(&self, owned: &[Datum]) -> Result<usize, Trap> {
        let live: Vec<&Object> = self.created.iter().filter(|object| is_live(object)).collect();
        let mut owners: FxHashMap<usize, i64> = FxHashMap::default();
        for object in &live {
            for part in object.slots()?.iter().filter_map(object_of) {
                *owners.entry(part.id()).or_default() += 1;
            }
        }
        for result in owned.iter().filter_map(object_of) {
            *owners.entry(result.id()).or_default() += 1;
        }
        let mut leaked = 0;
        for object in &live {
            let (count, owners) =
                (object.count().unwrap_or_default(), owners.get(&object.id()).copied().unwrap_or_default());
            if count < owners {
                return Err(Trap::new(format!("{object:?} has {owners} owners, but a count of {count}")));
            }
            leaked += usize::from(count > owners);
        }
        if leaked > 0 {
            return Err(Trap::new(format!("{leaked} objects on the heap were not freed")));
        }
        let mut seen = FxHashSet::default();
        let mut pending: Vec<Object> = owned.iter().filter_map(object_of).cloned().collect();
        while let Some(object) = pending.pop() {
            if seen.insert(object.id()) {
                pending.extend(object.slots()?.iter().filter_map(object_of).cloned());
            }
        }
        Ok(live.iter().filter(|object| !seen.contains(&object.id())).count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use minoan_services::ObjectKind;

    fn made(objects: &mut Objects, kind: ObjectKind, parts: &[&Object]) -> Object {
        let object = Object::counted(kind, parts.iter().map(|&part| Datum::Object(part.clone())).collect());
        objects.add(&object);
        object
    }

    #[test]
    fn a_count_that_is_too_high_or_too_low_is_found() {
        let mut objects = Objects::default();
        let tail = made(&mut objects, ObjectKind::Cell(0), &[]);
        let list = made(&mut objects, ObjectKind::Cell(0), &[&tail]);
        let owned = [Datum::Object(list.clone())];
        assert_eq!(objects.check(&owned), Ok(0));
        let message = |found: Result<usize, Trap>| found.expect_err("the counts are wrong").message;
        assert_eq!(message(objects.check(&[])), "1 objects on the heap were not freed");
        let _second = made(&mut objects, ObjectKind::Cell(3), &[&tail]);
        assert_eq!(
            message(objects.check(&owned)),
            "a cell of tag 0 with 0 fields has 2 owners, but a count of 1"
        );
        assert_eq!(tail.retain(), Ok(()));
        assert_eq!(message(objects.check(&owned)), "1 objects on the heap were not freed");
    }

    #[test]
    fn objects_that_own_each_other_are_not_leaks() {
        let mut objects = Objects::default();
        let reference = made(&mut objects, ObjectKind::Ref, &[]);
        let closure = made(&mut objects, ObjectKind::Closure("f".into()), &[&reference]);
        let contents = vec![Datum::Object(closure.clone())];
        assert_eq!(reference.set_slots(contents), Ok(Vec::new()));
        assert_eq!(objects.check(&[]), Ok(2));
        assert_eq!(closure.retain(), Ok(()));
        assert_eq!(objects.check(&[Datum::Object(closure)]), Ok(0));
        assert_eq!(reference.set_slots(Vec::new()).map(|slots| slots.len()), Ok(1), "the cycle is broken");
    }

    #[test]
    fn freed_objects_are_forgotten() {
        let mut objects = Objects::default();
        for _ in 0..10 * FULL {
            let object = made(&mut objects, ObjectKind::Cell(0), &[]);
            objects.count(-(object.release().expect("it is live") as i64));
        }
        assert_eq!(objects.live(), 0);
        assert!(objects.created.len() <= FULL);
    }
}
