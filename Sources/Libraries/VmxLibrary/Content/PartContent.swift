/// The result of the content check of a complete part.
struct PartContent {
  /// The converted bytes that are kept instead of the received ones.
  struct Made {
    let bytes: [UInt8]
    /// The encoding of the received text.
    let encoding: String
  }

  /// The file extension without the dot, derived from the bytes; nil if they do not tell it.
  var fileExtension: String?
  /// The converted form that is kept; nil if the received bytes are kept.
  var made: Made?
}
