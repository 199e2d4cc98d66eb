//! Values on the heap as data, which belong to no thread.

use minoan_runtime::ObjectRef;
use rustc_hash::FxHashMap;
use std::ffi::c_void;

/// A value of a data type, with everything that it refers to.
///
/// Compiled code has objects with counts that are not atomic, so a value is copied to and from the heap of the thread that
/// calls it. Parts that are shared remain so.
#[derive(Clone, PartialEq, Debug)]
pub struct HeapValue {
    nodes: HeapNodes,
    root: HeapSlot,
}

/// A value in a slot of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeapSlot {
    /// A constructor without fields, by its tag.
    Immediate(u16),
    /// The object with this number.
    Node(u32),
}

/// An object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum HeapNode<'v> {
    /// A value of a constructor.
    Cell {
        /// The position of the constructor.
        tag: u16,
        /// The slots that refer to objects, which precede this one.
        objects: &'v [HeapSlot],
        /// The other slots, each a number in the low bytes.
        words: &'v [u64],
    },
    /// Bytes after the header, such as those of a boxed tensor.
    Raw(&'v [u8]),
}

/// Objects, each after those that it refers to. The slots of all of them are stored one after another.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HeapNodes {
    places: Vec<Place>,
    objects: Vec<HeapSlot>,
    words: Vec<u64>,
    bytes: Vec<u8>,
}

/// The start and the number of the slots or bytes of an object.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Place {
    Cell { tag: u16, objects: (usize, u8), words: (usize, u8) },
    Raw { start: usize, len: usize },
}

impl HeapNodes {
    /// Appends an object; `None` if it refers to one that is not there, if it has more slots than objects can have, and if
    /// there are 2^32 objects.
    pub fn push(&mut self, node: HeapNode<'_>) -> Option<HeapSlot> {
        let slot = HeapSlot::Node(u32::try_from(self.places.len()).ok()?);
        self.places.push(match node {
            HeapNode::Cell { tag, objects, words } => {
                let fits = objects.len() + words.len() <= minoan_runtime::MAX_SLOTS;
                if !fits || !objects.iter().all(|&part| self.has(part)) {
                    return None;
                }
                let count = |slots: usize| u8::try_from(slots).ok();
                let place = Place::Cell {
                    tag,
                    objects: (self.objects.len(), count(objects.len())?),
                    words: (self.words.len(), count(words.len())?),
                };
                self.objects.extend_from_slice(objects);
                self.words.extend_from_slice(words);
                place
            }
            HeapNode::Raw(bytes) => {
                let start = self.bytes.len();
                self.bytes.extend_from_slice(bytes);
                Place::Raw { start, len: bytes.len() }
            }
        });
        Some(slot)
    }

    fn has(&self, slot: HeapSlot) -> bool {
        match slot {
            HeapSlot::Immediate(_) => true,
            HeapSlot::Node(index) => (index as usize) < self.places.len(),
        }
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The objects, each after those that it refers to.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = HeapNode<'_>> + ExactSizeIterator {
        self.places.iter().map(|&place| match place {
            Place::Cell { tag, objects: (first_object, objects), words: (first_word, words) } => {
                let objects = &self.objects[first_object..][..objects.into()];
                HeapNode::Cell { tag, objects, words: &self.words[first_word..][..words.into()] }
            }
            Place::Raw { start, len } => HeapNode::Raw(&self.bytes[start..][..len]),
        })
    }
}

impl HeapValue {
    /// A value of these objects; `None` if there is no object `root`.
    pub fn new(nodes: HeapNodes, root: HeapSlot) -> Option<Self> {
        nodes.has(root).then_some(Self { nodes, root })
    }

    /// The objects that the value consists of.
    pub fn nodes(&self) -> &HeapNodes {
        &self.nodes
    }

    /// The value itself.
    pub fn root(&self) -> HeapSlot {
        self.root
    }

    /// Copies the value to the heap of this thread.
    pub(crate) fn to_heap(&self) -> ObjectRef {
        let mut made: Vec<ObjectRef> = Vec::with_capacity(self.nodes.len());
        let get = |made: &[ObjectRef], slot: HeapSlot| match slot {
            HeapSlot::Immediate(tag) => ObjectRef::immediate(tag),
            HeapSlot::Node(index) => made[index as usize].clone(),
        };
        for node in self.nodes.iter() {
            made.push(match node {
                HeapNode::Cell { tag, objects, words } => {
                    let objects = objects.iter().map(|&slot| get(&made, slot)).collect();
                    ObjectRef::cell(tag, objects, words)
                }
                HeapNode::Raw(bytes) => ObjectRef::raw(bytes),
            });
        }
        get(&made, self.root)
    }

    /// Copies a value from the heap of this thread; closures and references that it contains are copied as cells.
    pub(crate) fn of_heap(root: &ObjectRef) -> Self {
        let mut copy = Copying::default();
        copy.value(root.clone());
        while let Some((object, next)) = copy.pending.last_mut() {
            match object.object(*next) {
                Some(part) => {
                    *next += 1;
                    copy.value(part);
                }
                None => copy.finish(),
            }
        }
        let Copying { nodes, done, .. } = copy;
        Self { nodes, root: done.first().copied().unwrap_or(HeapSlot::Immediate(0)) }
    }
}

/// The state of a copy from the heap of this thread.
#[derive(Default)]
struct Copying {
    nodes: HeapNodes,
    /// The copies of objects with several owners.
    shared: FxHashMap<*mut c_void, HeapSlot>,
    /// The objects whose parts are being copied, each with the number of its next part.
    pending: Vec<(ObjectRef, usize)>,
    /// The copied parts of the pending objects.
    done: Vec<HeapSlot>,
    words: Vec<u64>,
}

impl Copying {
    /// Copies a value whose copy is known, and begins to copy another.
    fn value(&mut self, object: ObjectRef) {
        let raw = object.as_raw();
        let copy = match raw.is_null() || raw as usize & 1 == 1 {
            true => Some(HeapSlot::Immediate(object.tag() as u16)),
            false => self.shared.get(&raw).copied(),
        };
        match copy {
            Some(copy) => self.done.push(copy),
            None => self.pending.push((object, 0)),
        }
    }

    /// Copies the last pending object, whose parts are copied.
    fn finish(&mut self) {
        let Some((object, parts)) = self.pending.pop() else { return };
        let first = self.done.len() - parts;
        let node = match object.bytes() {
            Some(bytes) => HeapNode::Raw(bytes),
            None => {
                self.words.clear();
                self.words.extend((parts..).map_while(|slot| object.word(slot)));
                let objects = &self.done[first..];
                HeapNode::Cell { tag: object.tag() as u16, objects, words: &self.words }
            }
        };
        let copy = self.nodes.push(node).expect("objects are copied after their parts, and fewer than 2^32");
        self.done.truncate(first);
        self.done.push(copy);
        // One owner is the object or caller that has it, the other is here.
        if object.owners() > 2 {
            self.shared.insert(object.as_raw(), copy);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use minoan_runtime::live_objects;

    fn cell<'v>(tag: u16, objects: &'v [HeapSlot], words: &'v [u64]) -> HeapNode<'v> {
        HeapNode::Cell { tag, objects, words }
    }

    #[test]
    fn a_value_with_shared_parts_is_copied_there_and_back() {
        let before = live_objects();
        let (nil, first) = (HeapSlot::Immediate(1), HeapSlot::Node(0));
        let mut nodes = HeapNodes::default();
        for node in [
            cell(0, &[nil], &[7]),
            HeapNode::Raw(&[1, 2, 3]),
            cell(5, &[first, HeapSlot::Node(1), first], &[]),
        ] {
            nodes.push(node).expect("it refers to earlier objects");
        }
        let value = HeapValue::new(nodes, HeapSlot::Node(2)).expect("it is well formed");
        let object = value.to_heap();
        assert_eq!(live_objects() - before, 3);
        assert_eq!(HeapValue::of_heap(&object), value);
        drop(object);
        assert_eq!(live_objects(), before);
    }

    #[test]
    fn a_list_of_a_million_cells_is_copied_without_recursion() {
        let next = |at: u32| if at == 0 { HeapSlot::Immediate(1) } else { HeapSlot::Node(at - 1) };
        let mut nodes = HeapNodes::default();
        for at in 0..1_000_000 {
            nodes.push(cell(0, &[next(at)], &[at.into()])).expect("it refers to earlier objects");
        }
        let list = HeapValue::new(nodes, HeapSlot::Node(999_999)).expect("it is well formed");
        assert!(HeapValue::of_heap(&list.to_heap()) == list);
    }

    #[test]
    fn objects_that_refer_to_later_ones_are_refused() {
        let mut nodes = HeapNodes::default();
        assert_eq!(nodes.push(cell(0, &[HeapSlot::Node(0)], &[])), None);
        assert_eq!(nodes.push(cell(0, &[], &[0; 300])), None);
        assert!(nodes.is_empty());
        assert_eq!(HeapValue::new(nodes, HeapSlot::Node(0)), None);
    }
}
