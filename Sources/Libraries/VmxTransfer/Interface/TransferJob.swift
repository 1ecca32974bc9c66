package import SystemPackage
package import VmxModel

/// A place to fetch from, with what it takes to be let in.
package struct TransferSource: Sendable, Equatable {
  /// An absolute http or https URL without user and password.
  package var url: String
  /// Sent to the origin of `url` alone, never to where it redirects.
  package var user: String?
  /// Goes with `user`.
  package var password: String?
  /// Whether its address may lead into a loopback or private net: so for what the person typed or
  /// added, not for what a feed or bundle from elsewhere names.
  package var mayBePrivate = true

  /// A source; user and password are sent as they are, by basic authentication.
  package init(url: String, user: String? = nil, password: String? = nil) {
    self.url = url
    self.user = user
    self.password = password
  }
}

/// One part to bring into one partial file.
package struct TransferJob: Sendable {
  /// What kind of bytes are expected.
  package enum Kind: Sendable, Equatable {
    /// Large, resumed, refused when coded or when it is a web page.
    case media
    /// Small, decoded where coded, never resumed, at most so large once decoded.
    case document(limit: ByteCount)
  }

  /// The episode that the part belongs to; it stands in the resume data.
  package var episode: EpisodeID
  /// The part's name within the episode; it stands in the resume data.
  package var partName: String
  /// Where the bytes can be had; tried in turn.
  package var sources: [TransferSource]
  /// The file that takes the bytes (`.part`); its folder exists.
  package var partial: FilePath
  /// The file that takes the resume data (`.part.json`), in the same folder.
  package var resume: FilePath
  /// Bytes of the whole, as published; anything else is `size-mismatch`.
  package var expectedSize: ByteCount?
  /// Digest of the whole, as published; anything else is `digest-mismatch`.
  package var expectedDigest: Digest?
  /// Whether only the version that is held will do: a source that has another by now is given up,
  /// and nothing of that is fetched.
  package var keepsVersion = false
  /// Media type that was declared, such as `video/mp4`; what surely is none is `type-mismatch`.
  package var declaredType: String?
  /// What kind of bytes are expected.
  package var kind: Kind

  /// A job without published size and digest.
  package init(
    episode: EpisodeID, partName: String, sources: [TransferSource], partial: FilePath,
    resume: FilePath, kind: Kind = .media
  ) {
    self.episode = episode
    self.partName = partName
    self.sources = sources
    self.partial = partial
    self.resume = resume
    self.kind = kind
  }

  /// Where bytes are kept aside that turned out not to belong to the file: at most one old part.
  package var aside: FilePath {
    FilePath("\(partial.string).aside")
  }
}
