//! Small parts that several games or searches share.

pub mod bits;
pub mod bytes;
pub mod features;
pub mod json;
pub mod notation;
