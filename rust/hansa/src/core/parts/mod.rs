//! Small parts that several games or searches share.

pub mod bits;
