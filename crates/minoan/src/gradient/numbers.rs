//! The numbers in values.

use crate::interface::Data;
use minoan_frontend::with_stack;
use minoan_services::{Object, Tensor, TensorData};
use std::rc::Rc;

/// The numbers of a value, if they are floats; those in an object, in the order of its fields.
pub fn floats(value: &Data) -> Option<Vec<f64>> {
    match value {
        Data::F32(number) => Some(vec![f64::from(*number)]),
        Data::F64(number) => Some(vec![*number]),
        Data::Tensor(tensor) => match &tensor.data {
            TensorData::F32(data) => Some(data.iter().map(|&number| f64::from(number)).collect()),
            TensorData::F64(data) => Some(data.clone()),
            _ => None,
        },
        Data::Object(object) => {
            let (mut found, mut pending) = (Vec::new(), object.slots().unwrap_or_default());
            pending.reverse();
            while let Some(value) = pending.pop() {
                match &value {
                    Data::Object(object) => {
                        pending.extend(object.slots().unwrap_or_default().into_iter().rev())
                    }
                    leaf => found.extend(floats(leaf).unwrap_or_default()),
                }
            }
            Some(found)
        }
        _ => None,
    }
}

/// A value like another one, whose numbers are those of a function of their position.
pub fn filled(like: &Data, number: &dyn Fn(usize) -> f64) -> Data {
    filled_from(like, &mut 0, number)
}

/// As [`filled`], from a position on, which is advanced.
fn filled_from(like: &Data, next: &mut usize, number: &dyn Fn(usize) -> f64) -> Data {
    let mut take = || {
        *next += 1;
        number(*next - 1)
    };
    match like {
        Data::F32(_) => Data::F32(take() as f32),
        Data::F64(_) => Data::F64(take()),
        Data::Tensor(tensor) => {
            let all = 0..tensor.data.len();
            let data = match &tensor.data {
                TensorData::F32(_) => TensorData::F32(all.map(|_| take() as f32).collect()),
                TensorData::F64(_) => TensorData::F64(all.map(|_| take()).collect()),
                _ => return like.clone(),
            };
            Data::Tensor(Rc::new(Tensor { shape: tensor.shape.clone(), data }))
        }
        Data::Object(object) => {
            let slots = object.slots().unwrap_or_default();
            let slots = slots.iter().map(|slot| with_stack(|| filled_from(slot, next, number))).collect();
            Data::Object(Object::new(object.kind().clone(), slots))
        }
        _ => like.clone(),
    }
}

/// Whether a value contains a float of single precision.
pub(super) fn is_single(value: &Data) -> bool {
    match value {
        Data::F32(_) => true,
        Data::Tensor(tensor) => matches!(tensor.data, TensorData::F32(_)),
        Data::Object(object) => {
            let mut pending = object.slots().unwrap_or_default();
            while let Some(value) = pending.pop() {
                match &value {
                    Data::Object(object) => pending.extend(object.slots().unwrap_or_default()),
                    leaf if is_single(leaf) => return true,
                    _ => {}
                }
            }
            false
        }
        _ => false,
    }
}

/// Replaces a number of a value, in place if nothing else refers to it.
pub(super) fn set(value: &mut Data, index: usize, number: f64) {
    match value {
        Data::F32(own) => *own = number as f32,
        Data::F64(own) => *own = number,
        Data::Tensor(tensor) => match &mut Rc::make_mut(tensor).data {
            TensorData::F32(data) => data[index] = number as f32,
            TensorData::F64(data) => data[index] = number,
            _ => {}
        },
        Data::Object(_) => {
            let numbers = floats(value).unwrap_or_default();
            *value = filled(value, &|at| if at == index { number } else { numbers[at] });
        }
        _ => {}
    }
}

/// The sum of all floats in a list of values.
pub fn total(values: &[Data]) -> f64 {
    values.iter().filter_map(floats).flatten().sum()
}
