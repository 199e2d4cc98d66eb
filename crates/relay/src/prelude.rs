//! The standard prelude, and the tensor arrays of each element type and shape.

use std::collections::BTreeSet;

/// The text of the standard prelude.
pub const PRELUDE: &str = include_str!("prelude.relay");

/// The tensor arrays of the element type `DTYPE`.
const TENSOR_ARRAYS: &str = include_str!("tensor_arrays.relay");

/// The tensor arrays of an element type and a shape, in sections.
const STATIC_TENSOR_ARRAYS: &str = include_str!("static_tensor_arrays.relay");

const DTYPES: [&str; 12] = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
    "float64",
];

/// The name prefixes of the functions and types of static tensor arrays; the element type and the shape follow.
const STATIC_NAMES: [&str; 20] = [
    "static_tensor",
    "ta_split_helper",
    "tensor_array",
    "tensor_array_concat",
    "tensor_array_gather",
    "tensor_array_gather_helper",
    "tensor_array_read",
    "tensor_array_scatter",
    "tensor_array_scatter_helper",
    "tensor_array_split",
    "tensor_array_stack",
    "tensor_array_unstack",
    "tensor_array_unstack_helper",
    "tensor_array_write",
    "tensor_concatenate",
    "tensor_constructor",
    "tensor_expand_dims",
    "tensor_get_data",
    "tensor_nil",
    "tensor_take",
];

/// The definitions of tensor arrays for the element types and shapes that the names of a text mention, such as
/// `@tensor_array_read_float32`, `tensor_float32_t` and `static_tensor_float32_2_any_t`.
pub(crate) fn tensor_arrays(text: &str) -> Vec<String> {
    let mut used = [false; DTYPES.len()];
    let mut families = Families::default();
    for name in names(text) {
        if !families.mention(name) {
            let name = name.strip_suffix("_t").unwrap_or(name);
            let suffix = name.rsplit('_').next().filter(|suffix| suffix.len() < name.len());
            if let Some(at) = DTYPES.iter().position(|dtype| Some(*dtype) == suffix) {
                used[at] = true;
            }
        }
    }
    let used = DTYPES.iter().zip(used).filter(|(_, used)| *used);
    let of_any_shape = used.map(|(dtype, _)| TENSOR_ARRAYS.replace("DTYPE", dtype));
    of_any_shape.chain(families.text()).collect()
}

/// The names with `tensor` in them.
fn names(text: &str) -> BTreeSet<&str> {
    let ends_name = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let mut names = BTreeSet::new();
    let mut end = 0;
    for (at, _) in text.match_indices("tensor") {
        if at >= end {
            let start = text[end..at].rfind(ends_name).map_or(end, |before| end + before);
            end = text[at..].find(ends_name).map_or(text.len(), |len| at + len);
            names.insert(text[start..end].trim_start_matches(ends_name));
        }
    }
    names
}

/// Tensors of an element type and a shape. An extent is a number or `any`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Family {
    dtype: &'static str,
    /// If a stack of the tensors has exactly one of them.
    one: bool,
    shape: Vec<String>,
}

/// Definitions of a family.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Section {
    Type,
    Write,
    Concatenation,
    Array,
    /// A scatter with the given number of indices; `None` if the number is unknown.
    Scatter(Option<String>),
    Slices,
    Stack,
}

/// The families of the static tensor arrays that a program mentions, each with the definitions that are needed.
#[derive(Default)]
struct Families(BTreeSet<(Family, Section)>);

impl Families {
    /// Adds the family that the name belongs to; returns false if there is none.
    fn mention(&mut self, name: &str) -> bool {
        let known = STATIC_NAMES.iter().find_map(|known| {
            let rest = name.strip_prefix(known)?.strip_prefix('_')?;
            DTYPES.into_iter().find_map(|dtype| Some((dtype, rest.strip_prefix(dtype)?.strip_prefix('_')?)))
        });
        let Some((dtype, shape)) = known else { return false };
        let (one, shape) = shape.strip_prefix("batch1_").map_or((false, shape), |shape| (true, shape));
        let (shape, indices) = match shape.split_once("_indices_") {
            Some((shape, indices)) => (shape, Some(indices)),
            None => (shape.strip_suffix("_t").unwrap_or(shape), None),
        };
        let shape: Vec<String> =
            if shape == "scalar" { Vec::new() } else { shape.split('_').map(str::to_owned).collect() };
        let is_extent = |text: &str| text == "any" || text.parse::<u32>().is_ok();
        let valid = shape.iter().all(|extent| is_extent(extent)) && indices.is_none_or(is_extent);
        if valid {
            self.request(&Family { dtype, one, shape }, indices);
        }
        valid
    }

    fn request(&mut self, family: &Family, indices: Option<&str>) {
        self.with_type(family, &[Section::Write, Section::Array, Section::Scatter(None), Section::Stack]);
        if let Some(indices) = indices {
            self.with_type(family, &[Section::Scatter(Some(indices.to_owned()))]);
        }
        let outer = family.outer();
        if family.one {
            self.with_type(&outer, &[]);
        } else {
            self.with_type(&outer, &[Section::Concatenation]);
            self.with_type(&outer.rows(), &[]);
        }
        if !family.shape.is_empty() {
            self.with_type(family, &[Section::Slices, Section::Concatenation]);
            self.with_type(&family.rows(), &[Section::Write, Section::Concatenation]);
            self.with_type(&Family { shape: family.shape[1..].to_vec(), ..family.clone() }, &[]);
        }
    }

    fn with_type(&mut self, family: &Family, sections: &[Section]) {
        self.0.insert((Family { one: false, ..family.clone() }, Section::Type));
        self.0.extend(sections.iter().map(|section| (family.clone(), section.clone())));
    }

    /// The text of the definitions.
    fn text(&self) -> Option<String> {
        let text: String = self.0.iter().map(|(family, section)| family.text(section)).collect();
        (!text.is_empty()).then(|| format!("#[version = \"0.0.5\"]\n\n{text}"))
    }
}

impl Family {
    /// The tensors with one more axis, the first one.
    fn outer(&self) -> Family {
        let extent = if self.one { "1" } else { "any" };
        let shape = std::iter::once(extent.to_owned()).chain(self.shape.iter().cloned()).collect();
        Family { shape, ..self.clone() }
    }

    /// The tensors with any number of rows.
    fn rows(&self) -> Family {
        let mut rows = self.clone();
        if let Some(extent) = rows.shape.first_mut() {
            *extent = "any".to_owned();
        }
        rows
    }

    fn name(&self) -> String {
        let shape = if self.shape.is_empty() { "scalar".to_owned() } else { self.shape.join("_") };
        format!("{}_{shape}", self.dtype)
    }

    fn name_of_function(&self) -> String {
        let shape = if self.shape.is_empty() { "scalar".to_owned() } else { self.shape.join("_") };
        if self.one { format!("{}_batch1_{shape}", self.dtype) } else { self.name() }
    }

    fn text(&self, section: &Section) -> String {
        let (name, indices) = match section {
            Section::Type => ("type", None),
            Section::Write => ("write", None),
            Section::Concatenation => ("concatenation", None),
            Section::Array => ("array", None),
            Section::Scatter(indices) => ("scatter", indices.as_deref()),
            Section::Slices => ("slices", None),
            Section::Stack => (if self.one { "stack of one" } else { "stack" }, None),
        };
        let mut sections = STATIC_TENSOR_ARRAYS.split("//-- ");
        let text = sections.find_map(|it| it.strip_prefix(name)?.strip_prefix('\n')).unwrap_or_default();
        let elem = Family { shape: self.shape.get(1..).unwrap_or_default().to_vec(), ..self.clone() };
        let extents: Vec<&str> = self.shape.iter().map(|it| if it == "any" { "?" } else { it }).collect();
        let extent = indices.filter(|it| *it != "any").unwrap_or("?");
        text.replace("FNAME", &self.name_of_function())
            .replace("FROWS", &self.rows().name_of_function())
            .replace("NAME", &self.name())
            .replace("ROWS", &self.rows().name())
            .replace("OUTER", &self.outer().name())
            .replace("ELEM", &elem.name())
            .replace("SHAPE", &extents.join(", "))
            .replace("DTYPE", self.dtype)
            .replace("INDICES", &indices.map_or_else(String::new, |it| format!("_indices_{it}")))
            .replace("EXTENT", extent)
    }
}
