//! Typed pass options: declared once, parsed from pipeline text, printed back, and listed in help.

/// A type of pass options.
pub trait OptionValue: Sized {
    /// The kind of value for messages and help, such as `integer`.
    const KIND: &'static str;
    /// Parses a value; `None` if the text is malformed.
    fn parse(text: &str) -> Option<Self>;
    /// Prints a value.
    fn print(&self) -> String;
}

macro_rules! by_from_str {
    ($($ty:ty, $kind:literal;)*) => {$(
        impl OptionValue for $ty {
            const KIND: &'static str = $kind;
            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }
            fn print(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

by_from_str! {
    i64, "integer";
    u64, "unsigned integer";
    usize, "unsigned integer";
    f64, "number";
}

impl OptionValue for bool {
    const KIND: &'static str = "true or false";

    fn parse(text: &str) -> Option<Self> {
        match text {
            // An option without a value is enabled.
            "" | "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
    }

    fn print(&self) -> String {
        self.to_string()
    }
}

impl OptionValue for String {
    const KIND: &'static str = "text";

    fn parse(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn print(&self) -> String {
        if self.contains([' ', ',', '{', '}', '"', '\'']) || self.is_empty() {
            format!("'{}'", self.replace('\'', "\""))
        } else {
            self.clone()
        }
    }
}

impl<T: OptionValue> OptionValue for Vec<T> {
    const KIND: &'static str = "list";

    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text).trim();
        if text.is_empty() {
            return Some(Vec::new());
        }
        text.split(',').map(|one| T::parse(one.trim())).collect()
    }

    fn print(&self) -> String {
        let all: Vec<String> = self.iter().map(OptionValue::print).collect();
        if all.len() == 1 { all[0].clone() } else { format!("{{{}}}", all.join(",")) }
    }
}

/// The description of an option for help.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// The name, such as `max-iterations`.
    pub name: &'static str,
    /// The kind of value, such as `integer`.
    pub kind: &'static str,
    /// A one-line description.
    pub doc: &'static str,
    /// The current value.
    pub value: String,
    /// The default value.
    pub default: String,
}

impl OptionInfo {
    /// The kind of value as a short placeholder for help texts, such as `bool`.
    pub fn placeholder(&self) -> &'static str {
        match self.kind {
            <bool as OptionValue>::KIND => "bool",
            <u64 as OptionValue>::KIND => "uint",
            kind => kind,
        }
    }
}

/// The options of a pass. Implemented by [`pass_options!`](crate::pass_options).
pub trait PassOptions {
    /// The options in order of declaration.
    fn infos(&self) -> Vec<OptionInfo>;
    /// Sets an option.
    ///
    /// # Errors
    /// The expected kind of value if the text is malformed, or `None` if the option does not exist.
    fn set(&mut self, name: &str, text: &str) -> Result<(), Option<&'static str>>;
}

/// The options that differ from their defaults, as printed between braces.
pub(crate) fn text_of(options: &dyn PassOptions) -> String {
    let changed = options.infos().into_iter().filter(|info| info.value != info.default);
    let all: Vec<String> = changed.map(|info| format!("{}={}", info.name, info.value)).collect();
    all.join(" ")
}

/// Declares the options of a pass.
///
/// ```
/// use minoan_pass::{PassOptions, pass_options};
/// pass_options! {
///     /// The options of the pass.
///     pub struct MyOptions {
///         /// How often to try.
///         "max-iterations" max_iterations: i64 = 10,
///         /// Which functions to leave alone.
///         "exclude" exclude: Vec<String> = Vec::new(),
///     }
/// }
/// let mut options = MyOptions::default();
/// options.set("max-iterations", "3").expect("a number");
/// options.set("exclude", "{main,init}").expect("a list");
/// assert_eq!((options.max_iterations, options.exclude.len()), (3, 2));
/// assert_eq!(options.set("max-iterations", "many"), Err(Some("integer")));
/// ```
#[macro_export]
macro_rules! pass_options {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($(#[doc = $doc:literal])* $text:literal $field:ident : $ty:ty = $default:expr),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Debug)]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $ty,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $crate::PassOptions for $name {
            fn infos(&self) -> Vec<$crate::OptionInfo> {
                let default = Self::default();
                vec![$($crate::OptionInfo {
                    name: $text,
                    kind: <$ty as $crate::OptionValue>::KIND,
                    doc: concat!($($doc),*).trim_ascii(),
                    value: $crate::OptionValue::print(&self.$field),
                    default: $crate::OptionValue::print(&default.$field),
                }),*]
            }

            fn set(&mut self, name: &str, text: &str) -> Result<(), Option<&'static str>> {
                match name {
                    $($text => {
                        self.$field = $crate::OptionValue::parse(text)
                            .ok_or(Some(<$ty as $crate::OptionValue>::KIND))?;
                    })*
                    _ => return Err(None),
                }
                Ok(())
            }
        }
    };
}

/// Implements the option accessors of a [`Pass`](crate::Pass) by its field `options`.
#[macro_export]
macro_rules! own_options {
    () => {
        fn options(&self) -> Option<&dyn $crate::PassOptions> {
            Some(&self.options)
        }

        fn options_mut(&mut self) -> Option<&mut dyn $crate::PassOptions> {
            Some(&mut self.options)
        }
    };
}

/// Implements [`Pass::queries`](crate::Pass::queries) by a list of services: `queries!(Effects, Fold);`.
#[macro_export]
macro_rules! queries {
    ($($service:path),* $(,)?) => {
        fn queries(&self) -> Vec<$crate::ServiceId> {
            vec![$($crate::ServiceId::of::<dyn $service>()),*]
        }
    };
}

/// Implements [`Pass::requires`](crate::Pass::requires) by a list of services: `requires!(BufferOps);`.
#[macro_export]
macro_rules! requires {
    ($($service:path),* $(,)?) => {
        fn requires(&self) -> Vec<$crate::ServiceId> {
            vec![$($crate::ServiceId::of::<dyn $service>()),*]
        }
    };
}
