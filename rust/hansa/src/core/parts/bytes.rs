//! Plain data as bytes behind one byte that names their layout.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::core::FormatError;

/// Appends the value in this layout; a change of its fields takes another number.
///
/// # Panics
/// With data that postcard cannot hold; plain structures of numbers it can.
pub fn write(layout: u8, value: &impl Serialize, out: &mut Vec<u8>) {
    out.push(layout);
    let body = postcard::to_stdvec(value).expect("plain data has bytes");
    out.extend_from_slice(&body);
}

/// The value of such bytes.
///
/// # Errors
/// Another layout, damaged bytes, or bytes behind the end.
pub fn read<T: DeserializeOwned>(layout: u8, bytes: &[u8]) -> Result<T, FormatError> {
    match bytes {
        [first, body @ ..] if *first == layout => match postcard::take_from_bytes(body) {
            Ok((value, [])) => Ok(value),
            Ok((_, rest)) => Err(FormatError::new("", format!("{} bytes too many", rest.len()))),
            Err(problem) => Err(FormatError::new("", format!("damaged bytes: {problem}"))),
        },
        [other, ..] => {
            Err(FormatError::new("", format!("layout {other} of bytes, this version reads layout {layout}")))
        }
        [] => Err(FormatError::new("", "no bytes")),
    }
}
