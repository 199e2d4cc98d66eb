//! Arguments and results that C has no type for: vectors, and integers of other widths than those of C.
//!
//! A vector is a structure with an array of its elements, the last dimension fastest. An integer of another width up to 64 is passed
//! in the next wider type of C; a value that does not fit is an error, and results are extended to the type.

use super::c_element;
use crate::interface::{ElementType, ValueType};

/// A vector type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Vector {
    shape: Vec<usize>,
    name: &'static str,
    element: &'static str,
}

impl Vector {
    pub(super) fn new(shape: &[Option<usize>], element: ElementType) -> Self {
        let (name, element) = c_element(element);
        Self { shape: shape.iter().map(|extent| extent.unwrap_or(0)).collect(), name, element }
    }

    fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// The name of the structure: `minoan_f32_v2x4` for `vector<2x4xf32>`.
    pub(super) fn type_name(&self) -> String {
        let extents: Vec<String> = self.shape.iter().map(ToString::to_string).collect();
        format!("minoan_{}_v{}", self.name, extents.join("x"))
    }

    pub(super) fn declaration(&self) -> String {
        let (name, element, count) = (self.type_name(), self.element, self.len());
        let guard = format!("{}_DECLARED", name.to_uppercase());
        format!(
            "#ifndef {guard}\n#define {guard}\n\
             /* A vector of {count} elements; the last dimension is the fastest. */\n\
             typedef struct {{\n  {element} data[{}];\n}} {name};\n#endif\n\n",
            count.max(1)
        )
    }
}

/// An integer type that C does not have, in the type of C that has room for it.
#[derive(Clone, Copy)]
struct Narrow {
    width: u32,
    is_signed: bool,
    c_type: &'static str,
}

impl Narrow {
    fn of(element: ElementType) -> Option<Self> {
        let (width, is_signed) = match element {
            ElementType::Signed(width) => (width, true),
            ElementType::Unsigned(width) => (width, false),
            _ => return None,
        };
        (!matches!(width, 8 | 16 | 32 | 64)).then_some(Self {
            width,
            is_signed,
            c_type: c_element(element).1,
        })
    }

    /// The bits of the type.
    fn mask(self) -> String {
        format!("UINT64_C({:#x})", (1u64 << self.width) - 1)
    }

    /// Whether `value` is out of the range.
    fn exceeds(self, value: &str) -> String {
        match self.is_signed {
            true => {
                let greatest = (1i64 << (self.width - 1)) - 1;
                format!("{value} < -INT64_C({greatest}) - 1 || {value} > INT64_C({greatest})")
            }
            false => format!("{value} > {}", self.mask()),
        }
    }

    /// Statements before a call that check the elements of an argument and clear their upper bits, which the function expects to be
    /// zero.
    fn before(self, elements: &Elements, name: &str) -> String {
        let Narrow { c_type, .. } = self;
        let sign = if self.is_signed { "i" } else { "ui" };
        let (each, place) = (elements.each(), &elements.place);
        let message = format!("argument '{name}' is out of the range of {sign}{}", self.width);
        format!(
            "  {each}{{\n    if ({}) return minoan_refused(failure, \"{message}\");\n    \
             {place} = ({c_type})((uint64_t){place} & {});\n  }}\n",
            self.exceeds(place),
            self.mask()
        )
    }

    /// Statements after a call that extend the elements of a result from the bits that the function wrote.
    fn after(self, elements: &Elements) -> String {
        let Narrow { c_type, width, .. } = self;
        let (each, place, mask) = (elements.each(), &elements.place, self.mask());
        let bits = format!("((uint64_t){place} & {mask})");
        let value = match self.is_signed {
            true => {
                let sign = format!("UINT64_C({:#x})", 1u64 << (width - 1));
                format!("(int64_t)(({bits} ^ {sign}) - {sign})")
            }
            false => bits,
        };
        let value = if c_type == "int64_t" { value } else { format!("({c_type}){value}") };
        format!("  {each}{place} = {value};\n")
    }
}

/// The elements of a scalar or vector.
struct Elements {
    place: String,
    /// The number of elements of a vector.
    count: Option<usize>,
}

impl Elements {
    /// A loop over them, in front of a statement.
    fn each(&self) -> String {
        match self.count {
            Some(count) => format!("for (size_t i = 0; i < {count}; i++) "),
            None => String::new(),
        }
    }
}

/// The narrow elements of a value, which is at `place`.
fn narrow(leaf: &ValueType, place: &str) -> Option<(Narrow, Elements)> {
    match leaf {
        ValueType::Scalar(element) => {
            Some((Narrow::of(*element)?, Elements { place: place.to_owned(), count: None }))
        }
        ValueType::Tensor { shape, element } => {
            let count = Vector::new(shape, *element).len();
            Some((Narrow::of(*element)?, Elements { place: format!("{place}.data[i]"), count: Some(count) }))
        }
        _ => None,
    }
}

/// Statements before a call for an argument, a scalar or vector.
pub(super) fn before(leaf: &ValueType, name: &str) -> String {
    narrow(leaf, name).map_or_else(String::new, |(narrow, elements)| narrow.before(&elements, name))
}

/// Statements after a call for a result, a scalar or vector that `pointer` points to.
pub(super) fn after(leaf: &ValueType, pointer: &str) -> String {
    let place = format!("(*{pointer})");
    narrow(leaf, &place).map_or_else(String::new, |(narrow, elements)| narrow.after(&elements))
}

/// The function that reports an argument that is out of range.
pub(super) const REFUSED: &str = r"#ifndef MINOAN_REFUSED
#define MINOAN_REFUSED 1
static inline int32_t minoan_refused(minoan_failure *failure, const char *message) {
  if (failure) {
    failure->code = MINOAN_BAD_ARGUMENT;
    strncpy(failure->message, message, sizeof failure->message - 1);
    failure->message[sizeof failure->message - 1] = 0;
  }
  return MINOAN_BAD_ARGUMENT;
}
#endif

";

/// Whether the elements of a scalar or vector are integers of a width that C does not have.
pub(super) fn is_narrow(leaf: &ValueType) -> bool {
    narrow(leaf, "").is_some()
}
