import VmxModel

/// Inspects the first bytes of a body that should be a film.
///
/// A web page, a picture or an archive under a film's name then costs a few kilobytes, not the
/// whole transfer. An unrecognised format passes: the check of the whole file decides about it.
struct LeadingBytesCheck {
  private var front: [UInt8] = []
  private var isDone: Bool

  /// Creates a check of a body; documents always pass.
  init(_ kind: TransferJob.Kind) {
    isDone = kind != .media
  }

  /// Takes the next bytes.
  ///
  /// - Parameter isLast: whether the body has ended.
  /// - Returns: the kind of file, once it is known not to be a film.
  mutating func take(_ bytes: ArraySlice<UInt8>, isLast: Bool = false) -> MediaKind? {
    guard !isDone else { return nil }
    front += bytes.prefix(MediaKind.sniffed - front.count)
    guard front.count == MediaKind.sniffed || isLast else { return nil }
    isDone = true
    let kind = MediaKind.sniff(front)
    front = []
    guard let kind, !kind.isVideoContainer, !kind.isAudioContainer else { return nil }
    return kind
  }
}
