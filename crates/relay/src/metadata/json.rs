//! The JSON encoding of an object graph: `{"root", "nodes", "b64ndarrays", "attrs"}`.

use super::{MetaNode, Metadata, NdArray};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(super) fn parse(text: &str) -> Result<Metadata, (String, Option<usize>)> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        (format!("bad metadata: {message}"), offset(text, error.line(), error.column()))
    })?;
    graph(&value).map_err(|message| (format!("bad metadata: {message}"), None))
}

/// The byte offset of a 1-based line and column.
fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let start: usize = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    Some((start + column.saturating_sub(1)).min(text.len()))
}

fn graph(value: &Value) -> Result<Metadata, String> {
    let field = |name: &str| value.get(name).ok_or_else(|| format!("there is no '{name}'"));
    let list = |name: &str| field(name)?.as_array().ok_or_else(|| format!("'{name}' is not an array"));
    let nodes = list("nodes")?.iter().map(node).collect::<Result<Vec<_>, _>>()?;
    let root = index(field("root")?, nodes.len())?;
    for node in &nodes {
        if let Some(outside) = node.data.iter().find(|&&at| at as usize >= nodes.len()) {
            return Err(format!("there is no node {outside}"));
        }
        if !node.keys.is_empty() && node.keys.len() != node.data.len() {
            return Err(format!("a map of {} keys and {} values", node.keys.len(), node.data.len()));
        }
    }
    let arrays = match value.get("b64ndarrays") {
        None => Vec::new(),
        Some(_) => list("b64ndarrays")?.iter().map(array).collect::<Result<Vec<_>, _>>()?,
    };
    let attrs = value.get("attrs").map(strings).transpose()?.unwrap_or_default();
    Ok(Metadata { nodes, root, arrays, attrs })
}

fn index(value: &Value, count: usize) -> Result<u32, String> {
    let index = value.as_u64().filter(|&index| (index as usize) < count);
    index.map(|index| index as u32).ok_or_else(|| format!("there is no node {value}"))
}

fn array(value: &Value) -> Result<NdArray, String> {
    let text = value.as_str().ok_or("a tensor that is not a string")?;
    let clean: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let blob = STANDARD.decode(clean).map_err(|error| format!("a tensor that is not base64: {error}"))?;
    NdArray::from_blob(&blob)
}

fn strings(value: &Value) -> Result<BTreeMap<String, String>, String> {
    let map = value.as_object().ok_or("'attrs' is not an object")?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Ok(map.iter().map(|(name, value)| (name.clone(), text(value))).collect())
}

fn node(value: &Value) -> Result<MetaNode, String> {
    let type_key = value.get("type_key").and_then(Value::as_str).ok_or("a node without 'type_key'")?;
    let array = |name: &str| value.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let key = |key: &Value| key.as_str().map(str::to_owned).ok_or("a key that is not a string");
    let data = |at: &Value| at.as_u64().and_then(|at| u32::try_from(at).ok()).ok_or("a bad index");
    Ok(MetaNode {
        type_key: type_key.to_owned(),
        attrs: value.get("attrs").map(strings).transpose()?.unwrap_or_default(),
        keys: array("keys").iter().map(key).collect::<Result<_, _>>()?,
        data: array("data").iter().map(data).collect::<Result<_, _>>()?,
        repr: value.get("repr_str").and_then(Value::as_str).map(str::to_owned),
    })
}

pub(super) fn value(metadata: &Metadata) -> Value {
    let nodes: Vec<Value> = metadata.nodes.iter().map(node_value).collect();
    let arrays: Vec<String> = metadata.arrays.iter().map(|array| STANDARD.encode(array.to_blob())).collect();
    json!({
        "root": metadata.root,
        "nodes": nodes,
        "b64ndarrays": arrays,
        "attrs": metadata.attrs,
    })
}

fn node_value(node: &MetaNode) -> Value {
    let mut map = Map::new();
    map.insert("type_key".to_owned(), json!(node.type_key));
    if !node.attrs.is_empty() {
        map.insert("attrs".to_owned(), json!(node.attrs));
    }
    if !node.keys.is_empty() {
        map.insert("keys".to_owned(), json!(node.keys));
    }
    if !node.data.is_empty() {
        map.insert("data".to_owned(), json!(node.data));
    }
    if let Some(repr) = &node.repr {
        map.insert("repr_str".to_owned(), json!(repr));
    }
    Value::Object(map)
}
