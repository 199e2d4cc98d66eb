//! The metadata section: an object graph that the text refers to, in TVM's JSON format.

mod array;
mod json;

pub use array::{ElementType, NdArray};

use std::collections::BTreeMap;

/// The type key of tensor constants.
pub const CONSTANT: &str = "relay.Constant";

/// The beginning of the type keys of the attributes of operators.
pub const OPERATOR_ATTRS: &str = "relay.attrs.";

/// An object of the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetaNode {
    /// The type key: `IntImm`, `Array`, `relay.Constant`; empty for null.
    pub type_key: String,
    /// The fields: numbers as text, objects by their index.
    pub attrs: BTreeMap<String, String>,
    /// The keys of a `Map`.
    pub keys: Vec<String>,
    /// The indices of the values of a `Map` or `Array`.
    pub data: Vec<u32>,
    /// The text of a string.
    pub repr: Option<String>,
}

impl MetaNode {
    /// Creates an object without fields.
    pub fn new(type_key: &str) -> Self {
        Self { type_key: type_key.to_owned(), ..Self::default() }
    }

    /// Sets a field.
    pub fn set(&mut self, field: &str, value: impl ToString) {
        self.attrs.insert(field.to_owned(), value.to_string());
    }
}

/// The metadata section of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The objects; the first is null.
    pub nodes: Vec<MetaNode>,
    /// The index of the map from type keys to arrays of objects.
    pub root: u32,
    /// The tensors that constants refer to.
    pub arrays: Vec<NdArray>,
    /// Further attributes, such as the version of the writer.
    pub attrs: BTreeMap<String, String>,
}

impl Metadata {
    /// Whether the section is absent.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Parses the JSON text of a section.
    ///
    /// # Errors
    /// A message, and the byte offset in `text` if known.
    pub fn parse(text: &str) -> Result<Self, (String, Option<usize>)> {
        json::parse(text)
    }

    /// Prints the JSON text of the section.
    pub fn text(&self) -> String {
        format!("{:#}", json::value(self))
    }

    /// Prints the JSON text of the section on one line.
    pub fn line(&self) -> String {
        json::value(self).to_string()
    }

    /// The section without the objects that are parts of expressions, which are tensors, attributes of operators and symbolic
    /// extents. The other objects keep their indices.
    pub fn without_expressions(&self) -> Self {
        let is_part = |key: &str| {
            key == CONSTANT
                || key.starts_with(OPERATOR_ATTRS)
                || key.starts_with("tir.")
                || key == "TensorType"
        };
        let Some(root) = self.node(self.root) else { return Self::default() };
        let entries = root.keys.iter().zip(&root.data).filter(|(key, _)| !is_part(key));
        let (keys, data): (Vec<String>, Vec<u32>) = entries.map(|(key, &at)| (key.clone(), at)).unzip();
        if keys.is_empty() {
            return Self::default();
        }
        let mut nodes = vec![MetaNode::default(); self.nodes.len()];
        let mut pending = data.clone();
        nodes[self.root as usize] = MetaNode { keys, data, ..root.clone() };
        while let Some(at) = pending.pop() {
            let Some(node) = self.node(at).filter(|node| !is_part(&node.type_key)) else { continue };
            if at == self.root || nodes[at as usize] == *node {
                continue;
            }
            nodes[at as usize] = node.clone();
            // Numbers and indices look alike.
            pending.extend(&node.data);
            pending.extend(node.attrs.values().filter_map(|text| text.parse::<u32>().ok()));
        }
        let used = nodes.iter().rposition(|node| *node != MetaNode::default()).map_or(0, |last| last + 1);
        nodes.truncate(used);
        Self { nodes, root: self.root, arrays: Vec::new(), attrs: self.attrs.clone() }
    }

    /// The number of objects of a kind.
    pub fn count(&self, key: &str) -> usize {
        self.array_of(key).map_or(0, |array| array.data.len())
    }

    /// The kinds of objects in the section.
    pub fn keys(&self) -> &[String] {
        self.nodes.get(self.root as usize).map_or(&[], |root| &root.keys)
    }

    fn array_of(&self, key: &str) -> Option<&MetaNode> {
        let root = self.nodes.get(self.root as usize)?;
        let at = root.keys.iter().position(|it| it == key)?;
        self.nodes.get(*root.data.get(at)? as usize)
    }

    /// The object `meta[key][index]`.
    pub fn get(&self, key: &str, index: u32) -> Option<&MetaNode> {
        self.node(*self.array_of(key)?.data.get(index as usize)?)
    }

    /// The object with this index in the graph; `None` for null.
    pub fn node(&self, index: u32) -> Option<&MetaNode> {
        self.nodes.get(index as usize).filter(|node| !node.type_key.is_empty())
    }

    /// The tensor `meta[relay.Constant][index]`.
    pub fn constant(&self, index: u32) -> Option<&NdArray> {
        let data = self.get(CONSTANT, index)?.attrs.get("data")?;
        self.arrays.get(data.parse::<usize>().ok()?)
    }

    /// Adds a tensor; returns its index in `meta[relay.Constant]`.
    pub fn add_constant(&mut self, array: NdArray) -> u32 {
        let mut node = MetaNode::new(CONSTANT);
        node.set("data", self.arrays.len());
        // TVM reads every field of an object; 0 is null.
        for field in ["_checked_type_", "span", "virtual_device_"] {
            node.set(field, 0);
        }
        self.arrays.push(array);
        self.add(node)
    }

    /// Adds an object; returns its index among those of its kind.
    pub fn add(&mut self, node: MetaNode) -> u32 {
        let key = node.type_key.clone();
        let id = self.push(node);
        let root = self.root as usize;
        let array = match self.nodes[root].keys.iter().position(|it| *it == key) {
            Some(at) => self.nodes[root].data[at],
            None => {
                let array = self.push(MetaNode::new("Array"));
                self.nodes[root].keys.push(key);
                self.nodes[root].data.push(array);
                array
            }
        };
        let data = &mut self.nodes[array as usize].data;
        data.push(id);
        data.len() as u32 - 1
    }

    /// Adds an object that other objects refer to; returns its index in the graph.
    pub fn push(&mut self, node: MetaNode) -> u32 {
        if self.nodes.is_empty() {
            self.nodes.push(MetaNode::default());
            self.nodes.push(MetaNode::new("Map"));
            self.root = 1;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }
}
