/// What a look at the whole file of a part found.
struct PartContent {
  /// Bytes that are kept in place of those that came.
  struct Made {
    let bytes: [UInt8]
    /// How the text that came was encoded.
    let encoding: String
  }

  /// The ending of its name without the dot, as its bytes tell; nil where they do not.
  var fileExtension: String?
  /// What is kept instead; nil where the bytes stay as they are.
  var made: Made?
}
