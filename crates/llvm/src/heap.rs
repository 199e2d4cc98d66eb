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
    nodes: Vec<HeapNode>,
    root: HeapSlot,
}

/// A value in a slot of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeapSlot {
    /// A constructor without fields, by its tag.
    Immediate(u16),
    /// The object with this number.
    Node(usize),
}

/// An object.
#[derive(Clone, PartialEq, Debug)]
pub enum HeapNode {
    /// A value of a constructor.
    Cell {
        /// The position of the constructor.
        tag: u16,
        /// The slots that refer to objects, by their indices, which are less than the index of this object.
        objects: Vec<HeapSlot>,
        /// The other slots, each a number in the low bytes.
        words: Vec<u64>,
    },
    /// Bytes after the header, such as those of a boxed tensor.
    Raw(Vec<u8>),
}

impl HeapValue {
    /// A value of these objects; `None` if an object refers to a later one, to itself, or to one that is not there, or has more
    /// slots than objects can have.
    pub fn new(nodes: Vec<HeapNode>, root: HeapSlot) -> Option<Self> {
        let before = |slot: &HeapSlot, limit| !matches!(*slot, HeapSlot::Node(index) if index >= limit);
        let fits = |(at, node): (usize, &HeapNode)| match node {
            HeapNode::Cell { objects, words, .. } => {
                objects.len() + words.len() <= minoan_runtime::MAX_SLOTS
                    && objects.iter().all(|slot| before(slot, at))
            }
            HeapNode::Raw(_) => true,
        };
        let valid = nodes.iter().enumerate().all(fits) && before(&root, nodes.len());
        valid.then_some(Self { nodes, root })
    }

    /// The objects, each after those that it refers to.
    pub fn nodes(&self) -> &[HeapNode] {
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
            HeapSlot::Node(index) => made[index].clone(),
        };
        for node in &self.nodes {
            made.push(match node {
                HeapNode::Cell { tag, objects, words } => {
                    let objects = objects.iter().map(|&slot| get(&made, slot)).collect();
                    ObjectRef::cell(*tag, objects, words)
                }
                HeapNode::Raw(bytes) => ObjectRef::raw(bytes),
            });
        }
        get(&made, self.root)
    }

    /// Copies a value from the heap of this thread; closures and references that it contains are copied as cells.
    pub(crate) fn of_heap(root: &ObjectRef) -> Self {
        let mut nodes: Vec<HeapNode> = Vec::new();
        let mut known: FxHashMap<*mut c_void, HeapSlot> = FxHashMap::default();
        let slot_of = |known: &FxHashMap<*mut c_void, HeapSlot>, object: &ObjectRef| {
            let raw = object.as_raw();
            match raw.is_null() || raw as usize & 1 == 1 {
                true => Some(HeapSlot::Immediate(object.tag() as u16)),
                false => known.get(&raw).copied(),
            }
        };
        // The objects whose parts are being copied, each with those parts that come next, the first one last.
        let mut pending: Vec<(ObjectRef, Vec<ObjectRef>)> = Vec::new();
        let enter = |object: ObjectRef, pending: &mut Vec<(ObjectRef, Vec<ObjectRef>)>| {
            let mut parts: Vec<ObjectRef> = (0..).map_while(|slot| object.object(slot)).collect();
            parts.reverse();
            pending.push((object, parts));
        };
        if slot_of(&known, root).is_none() {
            enter(root.clone(), &mut pending);
        }
        while let Some((object, parts)) = pending.last_mut() {
            if let Some(part) = parts.pop() {
                if slot_of(&known, &part).is_none() {
                    enter(part, &mut pending);
                }
                continue;
            }
            let node = match object.bytes() {
                Some(bytes) => HeapNode::Raw(bytes.to_vec()),
                None => {
                    let objects: Vec<HeapSlot> = (0..)
                        .map_while(|slot| object.object(slot))
                        .map(|part| slot_of(&known, &part).unwrap_or(HeapSlot::Immediate(0)))
                        .collect();
                    let words = (objects.len()..).map_while(|slot| object.word(slot)).collect();
                    HeapNode::Cell { tag: object.tag() as u16, objects, words }
                }
            };
            known.insert(object.as_raw(), HeapSlot::Node(nodes.len()));
            nodes.push(node);
            pending.pop();
        }
        let root = slot_of(&known, root).unwrap_or(HeapSlot::Immediate(0));
        Self { nodes, root }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use minoan_runtime::live_objects;

    fn cell(tag: u16, objects: &[HeapSlot], words: &[u64]) -> HeapNode {
        HeapNode::Cell { tag, objects: objects.to_vec(), words: words.to_vec() }
    }

    #[test]
    fn a_value_with_shared_parts_is_copied_there_and_back() {
        let before = live_objects();
        let (nil, first) = (HeapSlot::Immediate(1), HeapSlot::Node(0));
        let nodes = vec![
            cell(0, &[nil], &[7]),
            HeapNode::Raw(vec![1, 2, 3]),
            cell(5, &[first, HeapSlot::Node(1), first], &[]),
        ];
        let value = HeapValue::new(nodes, HeapSlot::Node(2)).expect("it is well formed");
        let object = value.to_heap();
        assert_eq!(live_objects() - before, 3);
        assert_eq!(HeapValue::of_heap(&object), value);
        drop(object);
        assert_eq!(live_objects(), before);
    }

    #[test]
    fn a_list_of_a_million_cells_is_copied_without_recursion() {
        let next = |at: usize| if at == 0 { HeapSlot::Immediate(1) } else { HeapSlot::Node(at - 1) };
        let nodes: Vec<HeapNode> = (0..1_000_000).map(|at| cell(0, &[next(at)], &[at as u64])).collect();
        let list = HeapValue::new(nodes, HeapSlot::Node(999_999)).expect("it is well formed");
        assert!(HeapValue::of_heap(&list.to_heap()) == list);
    }

    #[test]
    fn objects_that_refer_to_later_ones_are_refused() {
        assert_eq!(HeapValue::new(vec![cell(0, &[HeapSlot::Node(0)], &[])], HeapSlot::Node(0)), None);
        assert_eq!(HeapValue::new(Vec::new(), HeapSlot::Node(0)), None);
        assert_eq!(HeapValue::new(vec![cell(0, &[], &[0; 300])], HeapSlot::Node(0)), None);
    }
}
