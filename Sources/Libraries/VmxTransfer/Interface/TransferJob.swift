package import SystemPackage
package import VmxModel

/// A URL to fetch from, with its credentials.
package struct TransferSource: Sendable, Equatable {
  /// An absolute http or https URL without user and password.
  package var url: String
  /// The user name, sent only to the origin of `url`, never to a redirect target.
  package var user: String?
  /// The password of `user`.
  package var password: String?
  /// Whether its address may be loopback or private. True for URLs that the user entered, false for
  /// those named by a feed or a foreign bundle.
  package var mayBePrivate = true

  /// Creates a source; user and password are sent unchanged by basic authentication.
  package init(url: String, user: String? = nil, password: String? = nil) {
    self.url = url
    self.user = user
    self.password = password
  }
}

/// One part to download into one partial file.
package struct TransferJob: Sendable {
  /// The kind of the expected bytes.
  package enum Kind: Sendable, Equatable {
    /// Large; resumed; rejected if it has a content coding or is a web page.
    case media
    /// Small; decoded if it has a content coding; never resumed; limited in its decoded size.
    case document(limit: ByteCount)
  }

  /// The episode of the part; recorded in the resume data.
  package var episode: EpisodeID
  /// The part's name within the episode; recorded in the resume data.
  package var partName: String
  /// The sources of the bytes, tried in turn.
  package var sources: [TransferSource]
  /// The file that receives the bytes (`.part`); its folder exists.
  package var partial: FilePath
  /// The file for the resume data (`.part.json`), in the same folder.
  package var resume: FilePath
  /// The published size of the whole; any other size is `size-mismatch`.
  package var expectedSize: ByteCount?
  /// The published digest of the whole; any other digest is `digest-mismatch`.
  package var expectedDigest: Digest?
  /// Whether only the version held is acceptable. A source that has another version is given up,
  /// and nothing of it is fetched.
  package var keepsVersion = false
  /// The declared media type, such as `video/mp4`; a type that surely contradicts it is
  /// `type-mismatch`.
  package var declaredType: String?
  /// The kind of the expected bytes.
  package var kind: Kind

  /// Creates a job without a published size and digest.
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

  /// The file for bytes that turned out not to belong to the part; there is at most one such file.
  package var aside: FilePath {
    FilePath("\(partial.string).aside")
  }
}
