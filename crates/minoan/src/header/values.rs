//! Values of data types in C.

use super::names::{Names, identifier};
use super::{array_of, c_element};
use crate::interface::{Constructors, DataType, ValueType};
use minoan_data::layout::{Component, Slots, elements_offset, extent_offset};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// The data types of a header.
#[derive(Default)]
pub(super) struct Values {
    /// The C types, by the names of the data types.
    names: BTreeMap<Arc<str>, String>,
    constructors: Vec<(Arc<str>, Constructors)>,
    leaves: Vec<ValueType>,
}

impl Values {
    /// Adds the data types of a value.
    pub(super) fn add(&mut self, ty: &ValueType, prefix: &str, names: &mut Names) {
        let ValueType::Data(DataType { table, .. }) = ty else { return };
        for (name, constructors) in table.iter() {
            if self.names.contains_key(name) {
                continue;
            }
            // The name of an instance has its type arguments.
            let short = name.split('[').next().unwrap_or_default();
            self.names.insert(name.clone(), names.unique(identifier(&format!("{prefix}{short}"))));
            let leaves = constructors.iter().flat_map(|(_, fields)| fields).flat_map(ValueType::leaves);
            self.leaves.extend(leaves);
            self.constructors.push((name.clone(), constructors.clone()));
        }
    }

    /// The components of all fields.
    pub(super) fn leaves(&self) -> &[ValueType] {
        &self.leaves
    }

    /// The C type of a value.
    pub(super) fn c_type(&self, ty: &ValueType) -> String {
        match (ty, array_of(ty)) {
            (_, Some(array)) => array.type_name(),
            (ValueType::Scalar(element), None) => c_element(*element).1.to_owned(),
            (ValueType::Data(data), None) => self.names.get(&data.name).cloned().unwrap_or_default(),
            // Leaves are neither tuples nor nested.
            _ => "void".to_owned(),
        }
    }

    /// The C type of a component of a field, where a tensor of rank 0 is a scalar.
    fn field_type(&self, leaf: &ValueType) -> String {
        match leaf {
            ValueType::Tensor { shape, element } if shape.is_empty() => c_element(*element).1.to_owned(),
            leaf => self.c_type(leaf),
        }
    }

    /// The types, their constructors and the functions that read fields.
    pub(super) fn declarations(&self, names: &mut Names) -> String {
        let mut out = String::new();
        if !self.names.is_empty() {
            out.push_str(VALUES);
        }
        for (name, constructors) in &self.constructors {
            let ty = &self.names[name];
            // Writing to a string does not fail.
            let _ = write!(
                out,
                "/* A value of the data type {}. */\ntypedef struct {{\n  void *object;\n}} {ty};\n\n",
                name.replace("*/", "")
            );
            let tags: Vec<String> = constructors
                .iter()
                .enumerate()
                .map(|(tag, (ctor, _))| {
                    format!("{} = {tag}", names.unique(identifier(&format!("{ty}_{ctor}_tag"))))
                })
                .collect();
            let _ = write!(out, "enum {{ {} }};\n\n", tags.join(", "));
        }
        for (name, constructors) in &self.constructors {
            let ty = &self.names[name];
            let unary = [
                ("tag", "int64_t", "return minoan_object_tag(value.object);".to_owned()),
                ("retain", ty.as_str(), "minoan_value_retain(value.object);\n  return value;".to_owned()),
                ("release", "int32_t", "return minoan_value_release(value.object);".to_owned()),
            ];
            for (what, result, body) in unary {
                let function = names.unique(identifier(&format!("{ty}_{what}")));
                let _ = write!(out, "static inline {result} {function}({ty} value) {{\n  {body}\n}}\n\n");
            }
            for (tag, (ctor, fields)) in constructors.iter().enumerate() {
                let leaves: Vec<ValueType> = fields.iter().flat_map(ValueType::leaves).collect();
                let function = names.unique(identifier(&format!("{ty}_{ctor}")));
                out += &self.constructor(ty, &function, tag, &leaves);
                let slots = Slots::new(leaves.iter().map(ValueType::component));
                for (at, leaf) in leaves.iter().enumerate() {
                    let function = names.unique(identifier(&format!("{ty}_{ctor}_{at}")));
                    out += &self.field(ty, &function, leaf, slots.of[at]);
                }
            }
        }
        out
    }

    fn constructor(&self, ty: &str, function: &str, tag: usize, leaves: &[ValueType]) -> String {
        if leaves.is_empty() {
            return format!(
                "static inline {ty} {function}(void) {{\n  {ty} value;\n  value.object = (void *)(uintptr_t){};\n  \
                 return value;\n}}\n\n",
                tag * 2 + 1
            );
        }
        let slots = Slots::new(leaves.iter().map(ValueType::component));
        let (mut fill, mut release) = (String::new(), String::new());
        for (at, leaf) in leaves.iter().enumerate() {
            let slot = slots.of[at];
            let _ = match (leaf, boxed(leaf)) {
                (ValueType::Data(_), _) => {
                    write!(fill, "\n  words[{slot}] = (uint64_t)(uintptr_t)f{at}.object;")
                }
                (_, Some(rank)) => {
                    let _ = write!(release, "\n  minoan_value_release((void *)(uintptr_t)words[{slot}]);");
                    write!(
                        fill,
                        "\n  words[{slot}] = (uint64_t)(uintptr_t)minoan_value_box(f{at}.data, f{at}.offset, {rank}, \
                         f{at}.sizes, f{at}.strides, sizeof *f{at}.data);"
                    )
                }
                _ => write!(fill, "\n  memcpy(&words[{slot}], &f{at}, sizeof f{at});"),
            };
        }
        let parameters: Vec<String> =
            leaves.iter().enumerate().map(|(at, leaf)| format!("{} f{at}", self.field_type(leaf))).collect();
        let (count, pointers) = (slots.len(), slots.pointers);
        format!(
            "static inline {ty} {function}({}) {{\n  uint64_t words[{count}] = {{0}};\n  {ty} value;{fill}\n  \
             value.object = minoan_value_make({tag}, {count}, {pointers}, words);{release}\n  return value;\n}}\n\n",
            parameters.join(", ")
        )
    }

    /// The function that reads a field.
    fn field(&self, ty: &str, function: &str, leaf: &ValueType, slot: usize) -> String {
        let result = self.field_type(leaf);
        let body = match (leaf, boxed(leaf)) {
            (ValueType::Data(_), _) => {
                format!(
                    "{result} field;\n  field.object = minoan_value_part(value.object, {slot});\n  return field;"
                )
            }
            (_, Some(rank)) => {
                let mut body = format!(
                    "char *box = (char *)(uintptr_t)minoan_value_word(value.object, {slot});\n  int64_t sizes[{rank}];\n"
                );
                for axis in 0..rank {
                    let _ = writeln!(body, "  memcpy(&sizes[{axis}], box + {}, 8);", extent_offset(axis));
                }
                let sizes: Vec<String> = (0..rank).map(|axis| format!("sizes[{axis}]")).collect();
                let _ = write!(
                    body,
                    "  return {result}_of((const {} *)(const void *)(box + {}), {});",
                    array_of(leaf).map_or("void", |array| array.element),
                    elements_offset(rank),
                    sizes.join(", ")
                );
                body
            }
            _ => {
                let count = match leaf.component() {
                    Component::Number(slots) => slots,
                    Component::Object => 1,
                };
                let words: Vec<String> = (slot..slot + count)
                    .map(|slot| format!("minoan_value_word(value.object, {slot})"))
                    .collect();
                let (name, words) = match &words[..] {
                    [word] => ("word".to_owned(), word.clone()),
                    _ => (format!("word[{count}]"), format!("{{{}}}", words.join(", "))),
                };
                let address = if count == 1 { "&word" } else { "word" };
                format!(
                    "uint64_t {name} = {words};\n  {result} field;\n  memcpy(&field, {address}, sizeof field);\n  \
                     return field;"
                )
            }
        };
        format!("static inline {result} {function}({ty} value) {{\n  {body}\n}}\n\n")
    }
}

/// The rank of a component that is boxed.
fn boxed(leaf: &ValueType) -> Option<usize> {
    match leaf {
        ValueType::Tensor { shape, .. } if !shape.is_empty() => Some(shape.len()),
        ValueType::String => Some(1),
        _ => None,
    }
}

/// The declarations common to all headers with data types.
const VALUES: &str = r#"#ifndef MINOAN_VALUES
#define MINOAN_VALUES 1

/* A value that a constructor, a field or a function returns belongs to the caller until it is released; arguments stay the caller's. An array
   that is a field lives as long as the value. Values belong to the thread that got them, and to the library of this header. */
void *minoan_value_retain(void *value);
int32_t minoan_value_release(void *value);
void *minoan_value_make(int64_t tag, int64_t slots, int64_t pointers, const uint64_t *words);
void *minoan_value_box(const void *data, int64_t offset, int64_t rank, const int64_t *sizes, const int64_t *strides, int64_t element);
uint64_t minoan_value_word(void *value, int64_t slot);
void *minoan_value_part(void *value, int64_t slot);
int64_t minoan_object_tag(void *value);
int64_t minoan_live_objects(void);

#endif

"#;
