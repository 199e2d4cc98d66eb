//! Heap objects during evaluation: cells of algebraic data types, closures, references, boxed tensors.

use crate::{Datum, Flow, Trap};
use minoan_ir::Context;
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

/// The kind of an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// A value of an algebraic data type, made by the constructor with this tag; the slots are its fields.
    Cell(i64),
    /// A function with this symbol; the slots are the captured values, its first arguments.
    Closure(Rc<str>),
    /// A mutable cell; the slots are the components of its contents.
    Ref,
    /// A tensor on the heap; the only slot is a tensor or, after bufferization, a buffer.
    Box,
}

/// A heap object, shared by reference.
///
/// Dropping and comparing objects takes no stack, however long a list is. References may form cycles, which are not
/// collected during evaluation.
///
/// An object that is [counted](Object::counted) simulates the reference count of compiled code: using it after its count
/// reached zero is an error.
#[derive(Clone)]
pub struct Object(Rc<Node>);

struct Node {
    kind: ObjectKind,
    slots: RefCell<Vec<Datum>>,
    /// The simulated reference count; `None` where the program does not count.
    count: Cell<Option<i64>>,
}

impl Drop for Node {
    fn drop(&mut self) {
        let mut pending = std::mem::take(self.slots.get_mut());
        while let Some(datum) = pending.pop() {
            if let Datum::Object(object) = datum
                && let Some(mut node) = Rc::into_inner(object.0)
            {
                pending.append(node.slots.get_mut());
            }
        }
    }
}

impl Object {
    /// Creates an object.
    pub fn new(kind: ObjectKind, slots: Vec<Datum>) -> Self {
        Self(Rc::new(Node { kind, slots: RefCell::new(slots), count: Cell::new(None) }))
    }

    /// Creates an object whose reference count, initially 1, is simulated.
    pub fn counted(kind: ObjectKind, slots: Vec<Datum>) -> Self {
        Self(Rc::new(Node { kind, slots: RefCell::new(slots), count: Cell::new(Some(1)) }))
    }

    /// The kind.
    pub fn kind(&self) -> &ObjectKind {
        &self.0.kind
    }

    /// The tag of a cell.
    ///
    /// # Errors
    /// The object is of another kind, or has been freed.
    pub fn tag(&self) -> Result<i64, Trap> {
        self.check_live()?;
        match self.0.kind {
            ObjectKind::Cell(tag) => Ok(tag),
            _ => Err(Trap::new(format!("expected a value of a data type, found {self}"))),
        }
    }

    /// The call of the function of a closure with the captured values, followed by `args`.
    ///
    /// # Errors
    /// The object is of another kind, or has been freed.
    pub fn call(&self, ctx: &Context, args: &[Datum]) -> Result<Flow, Trap> {
        let ObjectKind::Closure(symbol) = &self.0.kind else {
            return Err(Trap::new(format!("expected a closure, found {self}")));
        };
        let mut operands = self.slots()?;
        operands.extend_from_slice(args);
        Ok(Flow::Call(ctx.name(symbol), operands))
    }

    /// The slots.
    ///
    /// # Errors
    /// The object has been freed.
    pub fn slots(&self) -> Result<Vec<Datum>, Trap> {
        self.check_live()?;
        Ok(self.0.slots.borrow().clone())
    }

    /// One slot.
    ///
    /// # Errors
    /// There is no such slot, or the object has been freed.
    pub fn slot(&self, index: usize) -> Result<Datum, Trap> {
        self.check_live()?;
        let slot = self.0.slots.borrow().get(index).cloned();
        slot.ok_or_else(|| Trap::new(format!("an object has no slot {index}: {self}")))
    }

    /// Overwrites the slots; returns the previous ones.
    ///
    /// # Errors
    /// The object has been freed.
    pub fn set_slots(&self, slots: Vec<Datum>) -> Result<Vec<Datum>, Trap> {
        self.check_live()?;
        Ok(self.0.slots.replace(slots))
    }

    /// The simulated reference count; `None` where the program does not count.
    pub fn count(&self) -> Option<i64> {
        self.0.count.get()
    }

    /// Adds an owner.
    ///
    /// # Errors
    /// The object has been freed.
    pub fn retain(&self) -> Result<(), Trap> {
        self.check_live()?;
        self.0.count.set(self.0.count.get().map(|count| count + 1));
        Ok(())
    }

    /// Removes an owner; the last one frees the object and releases what its slots own. Returns the number of objects
    /// freed.
    ///
    /// # Errors
    /// The object has been freed already.
    pub fn release(&self) -> Result<usize, Trap> {
        let (mut pending, mut freed) = (vec![self.clone()], 0);
        while let Some(object) = pending.pop() {
            object.check_live()?;
            let Some(count) = object.0.count.get() else { continue };
            object.0.count.set(Some(count - 1));
            if count == 1 {
                freed += 1;
                let slots = object.0.slots.take();
                pending.extend(slots.into_iter().filter_map(|slot| match slot {
                    Datum::Object(object) => Some(object),
                    _ => None,
                }));
            }
        }
        Ok(freed)
    }

    fn check_live(&self) -> Result<(), Trap> {
        match self.0.count.get() {
            Some(count) if count <= 0 => Err(Trap::new("use of an object after it was freed")),
            _ => Ok(()),
        }
    }

    /// A number that no other object has as long as this one is referred to.
    pub fn id(&self) -> usize {
        Rc::as_ptr(&self.0).addr()
    }

    /// Whether two references are to the same object.
    pub fn is_same(&self, other: &Object) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Whether two objects have the same kind and equal slots: objects are compared recursively, and other values by
    /// `leaf`.
    pub(crate) fn agrees(&self, other: &Object, leaf: &dyn Fn(&Datum, &Datum) -> bool) -> bool {
        let mut pending = vec![(self.clone(), other.clone())];
        // Only references close cycles, so only they are remembered.
        let mut seen = FxHashSet::default();
        while let Some((a, b)) = pending.pop() {
            if a.is_same(&b)
                || a.0.kind == ObjectKind::Ref && !seen.insert((Rc::as_ptr(&a.0), Rc::as_ptr(&b.0)))
            {
                continue;
            }
            let (left, right) = (a.0.slots.borrow(), b.0.slots.borrow());
            if a.0.kind != b.0.kind || left.len() != right.len() {
                return false;
            }
            for pair in left.iter().zip(right.iter()) {
                match pair {
                    (Datum::Object(a), Datum::Object(b)) => pending.push((a.clone(), b.clone())),
                    (a, b) if leaf(a, b) => {}
                    _ => return false,
                }
            }
        }
        true
    }

    /// The objects that are reachable from these, which are included, each once. An iterator reads the slots of an object before it
    /// returns the object.
    fn closure(mut pending: Vec<Object>) -> impl Iterator<Item = Object> {
        let mut seen = FxHashSet::default();
        std::iter::from_fn(move || {
            while let Some(object) = pending.pop() {
                if seen.insert(Rc::as_ptr(&object.0)) {
                    pending.extend(object.0.slots.borrow().iter().filter_map(Object::in_slot));
                    return Some(object);
                }
            }
            None
        })
    }

    fn in_slot(slot: &Datum) -> Option<Object> {
        match slot {
            Datum::Object(object) => Some(object.clone()),
            _ => None,
        }
    }

    /// Whether a value that is reachable from the object, and is no object itself, satisfies `leaf`.
    pub fn any(&self, leaf: &dyn Fn(&Datum) -> bool) -> bool {
        let is_found = |slot: &Datum| !matches!(slot, Datum::Object(_)) && leaf(slot);
        Self::closure(vec![self.clone()]).any(|object| object.0.slots.borrow().iter().any(is_found))
    }

    /// Replaces each value that is reachable from the object and is no object itself.
    ///
    /// # Errors
    /// The first error of `replace`.
    pub fn replace_values(&self, replace: &dyn Fn(&Datum) -> Result<Datum, Trap>) -> Result<(), Trap> {
        for object in Self::closure(vec![self.clone()]) {
            let mut slots = object.0.slots.borrow_mut();
            for value in slots.iter_mut().filter(|slot| !matches!(slot, Datum::Object(_))) {
                *value = replace(value)?;
            }
        }
        Ok(())
    }

    /// The number of objects that are reachable from these values and whose owners the program counts.
    pub fn reachable<'d>(values: impl IntoIterator<Item = &'d Datum>) -> usize {
        let objects = Self::closure(values.into_iter().filter_map(Object::in_slot).collect());
        objects.filter(|object| object.count().is_some()).count()
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.agrees(other, &|a, b| a == b)
    }
}

/// The kind and the number of slots, not the slots, which may be many objects.
impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The kind and the number of slots.
impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = self.0.slots.borrow().len();
        match &self.0.kind {
            ObjectKind::Cell(tag) => write!(f, "a cell of tag {tag} with {slots} fields"),
            ObjectKind::Closure(symbol) => write!(f, "a closure of '@{symbol}' with {slots} captures"),
            ObjectKind::Ref => f.write_str("a reference"),
            ObjectKind::Box => f.write_str("a boxed tensor"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(length: i64, make: fn(ObjectKind, Vec<Datum>) -> Object) -> Object {
        let nil = make(ObjectKind::Cell(1), Vec::new());
        (0..length).fold(nil, |rest, at| make(ObjectKind::Cell(0), vec![Datum::Int(at), Datum::Object(rest)]))
    }

    #[test]
    fn a_list_of_a_million_cells_is_compared_and_dropped_without_recursion() {
        let (a, b) = (list(1_000_000, Object::new), list(1_000_000, Object::new));
        assert_eq!(a, b);
        assert_ne!(a, list(10, Object::new));
    }

    #[test]
    fn releasing_the_last_owner_frees_what_it_owns() {
        let list = list(100_000, Object::counted);
        assert_eq!(list.retain(), Ok(()));
        assert_eq!(list.release(), Ok(0));
        assert_eq!(list.release(), Ok(100_001));
        let trap = list.release().expect_err("it is freed");
        assert_eq!(trap.message, "use of an object after it was freed");
        assert!(list.tag().is_err() && list.slots().is_err() && list.retain().is_err());
    }

    #[test]
    fn equality_ends_on_cycles_through_references() {
        let ring = || {
            let reference = Object::new(ObjectKind::Ref, Vec::new());
            let slots = reference.set_slots(vec![Datum::Object(reference.clone())]);
            assert_eq!(slots, Ok(Vec::new()));
            reference
        };
        let (a, b) = (ring(), ring());
        assert!(a.agrees(&b, &|_, _| true));
        assert!(!a.any(&|_| true));
        for reference in [a, b] {
            assert!(reference.set_slots(Vec::new()).is_ok(), "the cycle is broken");
        }
    }
}
