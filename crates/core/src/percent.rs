//! Percent signs in addresses, as RFC 3986 has them.

pub use percent_encoding::AsciiSet;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What has to be encoded in one part of an address: all but the unreserved characters.
pub const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

pub fn encoded(text: &str, what: &'static AsciiSet) -> String {
    utf8_percent_encode(text, what).to_string()
}

/// Without percent signs, as far as they can be read.
pub fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded_and_what_is_no_code_stays() {
        let text = "a b/ü%~.-_";
        assert_eq!(encoded(text, PART), "a%20b%2F%C3%BC%25~.-_");
        assert_eq!(decoded(&encoded(text, PART)), text);
        assert_eq!(decoded("50% of %zz %%41 %4"), "50% of %zz %A %4");
    }
}
