//! The table of objects, and handles.

use crate::array::Array;
use crate::error::{Error, MinoanStatus, guard};
use crate::function::Function;
use crate::module::{BlockObject, ModuleObject};
use crate::operation::Operation;
use crate::session::SessionObject;
use std::sync::{Arc, PoisonError, RwLock};

/// An object of the library: a session, module, operation, block, function or array. Zero is not an object.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MinoanHandle {
    /// The number of the object, never used again after its release.
    pub id: u64,
}

/// An object.
#[derive(Clone)]
pub(crate) enum Object {
    Session(Arc<SessionObject>),
    Module(Arc<ModuleObject>),
    Operation(Arc<Operation>),
    Block(Arc<BlockObject>),
    Function(Arc<Function>),
    Array(Arc<Array>),
}

impl Object {
    fn kind(&self) -> &'static str {
        match self {
            Object::Session(_) => "session",
            Object::Module(_) => "module",
            Object::Operation(_) => "operation",
            Object::Block(_) => "block",
            Object::Function(_) => "function",
            Object::Array(_) => "array",
        }
    }
}

struct Slot {
    /// Counts the objects that the slot has held; a handle to an earlier one is stale.
    generation: u32,
    object: Option<Object>,
}

struct Table {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

static TABLE: RwLock<Table> = RwLock::new(Table { slots: Vec::new(), free: Vec::new() });

/// Enters an object and returns its handle.
pub(crate) fn insert(object: Object) -> MinoanHandle {
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    let index = match table.free.pop() {
        Some(index) => index,
        None => {
            table.slots.push(Slot { generation: 0, object: None });
            (table.slots.len() - 1) as u32
        }
    };
    let slot = &mut table.slots[index as usize];
    slot.generation += 1;
    slot.object = Some(object);
    MinoanHandle { id: u64::from(slot.generation) << 32 | u64::from(index) }
}

/// The object of a handle.
pub(crate) fn get(handle: MinoanHandle) -> Result<Object, Error> {
    let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
    let slot = table.slots.get((handle.id & 0xffff_ffff) as usize);
    let slot = slot.filter(|slot| u64::from(slot.generation) == handle.id >> 32);
    match slot.map(|slot| &slot.object) {
        Some(Some(object)) => Ok(object.clone()),
        Some(None) => Err(Error::handle(format!("handle {:#x} was released", handle.id))),
        None if handle.id == 0 => Err(Error::handle("the handle is zero, which is not an object")),
        None => {
            Err(Error::handle(format!("handle {:#x} was released, or is not one of this library", handle.id)))
        }
    }
}

/// The object of a handle, which must be of one kind.
macro_rules! getters {
    ($($name:ident: $kind:ident($ty:ty), $noun:literal;)*) => {
        $(
            pub(crate) fn $name(handle: MinoanHandle) -> Result<Arc<$ty>, Error> {
                match get(handle)? {
                    Object::$kind(object) => Ok(object),
                    other => Err(Error::handle(format!("expected a handle of {}, found one of kind '{}'", $noun, other.kind()))),
                }
            }
        )*
    };
}

getters! {
    session: Session(SessionObject), "a session";
    module: Module(ModuleObject), "a module";
    operation: Operation(Operation), "an operation";
    block: Block(BlockObject), "a block";
    function: Function(Function), "a function";
    array: Array(Array), "an array";
}

/// Releases an object. Handles created from it stay valid: a function needs no session.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_release(handle: MinoanHandle) -> MinoanStatus {
    guard(|| {
        get(handle)?;
        let index = (handle.id & 0xffff_ffff) as usize;
        let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
        let slot = &mut table.slots[index];
        if u64::from(slot.generation) != handle.id >> 32 {
            return Err(Error::handle("the handle was released by another thread"));
        }
        let object = slot.object.take();
        // A slot whose generations are used up is not used again.
        if object.is_some() && slot.generation < u32::MAX {
            table.free.push(index as u32);
        }
        // Dropping an object may take long, and other threads need the table.
        drop(table);
        drop(object);
        Ok(())
    })
}

/// The number of objects that are not released, for tests of programs.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_handle_count() -> usize {
    let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
    table.slots.iter().filter(|slot| slot.object.is_some()).count()
}
