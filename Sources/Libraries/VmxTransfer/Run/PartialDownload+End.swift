import VmxModel

extension PartialDownload {
  /// The evidence for the end of the file.
  enum End {
    /// A server has announced the size, or will announce it.
    case announced
    /// The response ended in the way that a cut one does.
    case ambiguous
    /// No size is known, but the end of the response was positively detected.
    case seen
    /// The container is complete to the last byte received.
    case structure
  }

  /// The evidence for the bytes of the whole, without a published digest.
  var proof: Proof {
    switch end {
    case .seen: .none
    case .structure: .structure
    case .announced, .ambiguous: isProbed ? .probe : .length
    }
  }
}
