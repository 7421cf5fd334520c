//! Laws of the recovery store: its decoders are total, and faithful where they accept.

use graven::store::undo::{Head, Undo};

crate::laws!(
    a_recovery_store_of_any_bytes_is_judged,
    an_undo_that_decodes_encodes_back
);

/// Any bytes are a head or are not, and what stands behind it is an undo or is torn.
pub fn a_recovery_store_of_any_bytes_is_judged(bytes: &[u8]) {
    if let Some(head) = Head::parse(bytes) {
        assert_eq!(head.is_spent(), head.mark_digest == head.undo_digest);
        assert!(head.undo_len >= 88, "an undo has a head of its own");
    }
    if let Some(undo) = bytes.get(64..).and_then(Undo::decode) {
        assert_eq!(Undo::decode(&undo.encode().0).as_ref(), Some(&undo));
    }
}

/// An undo whose digest is right decodes or is refused, whatever it says; what decodes says the same when encoded.
///
/// The input is all that the digest, the magic and the length leave free, so that inputs get past them.
pub fn an_undo_that_decodes_encodes_back(input: &[u8]) {
    let Some((fixed, body)) = input.split_at_checked(33) else {
        return;
    };
    let mut undo = b"GRAVUNDO".to_vec();
    undo.push(fixed[0] % 5);
    undo.extend_from_slice(&[0; 7]);
    undo.extend_from_slice(&fixed[1..]);
    undo.extend_from_slice(&(body.len() as u64).to_le_bytes());
    undo.extend_from_slice(body);
    let mut bytes = blake3::hash(&undo).as_bytes().to_vec();
    bytes.extend_from_slice(&undo);

    let Some(decoded) = Undo::decode(&bytes) else { return };
    let (encoded, digest) = decoded.encode();
    assert_eq!(encoded, bytes);
    assert_eq!(digest.as_slice(), &bytes[..32]);

    // One byte less, or one flipped, is a torn undo.
    assert_eq!(Undo::decode(&bytes[..bytes.len() - 1]), None);
    let at = usize::from(fixed[1]) % bytes.len();
    bytes[at] ^= 1 << (fixed[2] % 8);
    assert_eq!(Undo::decode(&bytes), None);
}
