import VmxModel

extension Episode {
  /// Adds described parts, or merges them into the parts of the same names.
  ///
  /// A part that waits because a server requested a delay is queued again if it gets a further
  /// source. For a failed part, `DueRule` decides. A source with another user or password is tried
  /// again.
  ///
  /// - Parameter joining: the use of the sources for the existing file of each part; nil to merge.
  mutating func merge(
    _ described: [Part], joining: EpisodeDescription.Joining? = nil, now: Timestamp
  ) {
    var indices: [String: Int] = [:]
    for (index, part) in parts.enumerated().reversed() { indices[part.name] = index }
    for part in described {
      guard let index = indices[part.name] else {
        indices[part.name] = parts.count
        parts.append(part)
        continue
      }
      if part.isRequired { parts[index].isRequired = true }
      let before = parts[index].untried
      let secrets = parts[index].secrets
      parts[index].recordFailureOfSources()
      for variant in part.variants {
        if let joining {
          parts[index].join(variant, joining)
        } else {
          parts[index].merge(variant)
        }
      }
      let renewed = parts[index].secrets.filter { url, secret in
        secrets[url].map { $0 != secret } ?? false
      }
      parts[index].replace(failures: renewed.mapValues { _ in nil })
      if !renewed.isEmpty, parts[index].state == .failed {
        step(of: index, to: parts[index].stateAfterRetry, now: now)
      }
      let isNews = !parts[index].untried.isSubset(of: before)
      if isNews, parts[index].state == .waiting, parts[index].reason == .backoff {
        step(of: index, to: parts[index].stateAfterRetry, now: now)
      }
    }
  }
}

extension Part {
  /// Marks all sources as foreign, except those of one origin.
  mutating func markForeign(exceptFrom trusted: String? = nil) {
    for variant in variants.indices {
      for source in variants[variant].sources.indices {
        let url = variants[variant].sources[source].url
        variants[variant].sources[source].isForeign =
          trusted.map { !url.hasPrefix($0 + "/") } ?? true
      }
    }
  }

  /// The URLs of the sources that have not failed permanently.
  fileprivate var untried: Set<String> {
    Set(variants.flatMap(\.sources).filter { $0.failure == nil }.map(\.url))
  }

  /// The references of the user and password of each source, by its URL.
  fileprivate var secrets: [String: String?] {
    let sources = variants.flatMap(\.sources)
    return Dictionary(sources.map { ($0.url, $0.secret) }, uniquingKeysWith: { first, _ in first })
  }

  /// Records a permanent failure of the transfer for its sources, if an earlier version has
  /// recorded it only for the part.
  fileprivate mutating func recordFailureOfSources() {
    guard state == .failed, resumeState == .partial, let code, code.entry.retry == .never,
      !sourceFailures.values.contains(where: { $0 != nil })
    else { return }
    replace(failures: Dictionary(urls.map { ($0, code) }, uniquingKeysWith: { first, _ in first }))
  }

  /// Adds the sources of a described file that the user gave for this part.
  ///
  /// A URL alone implies neither size nor quality. If those of the existing file are also unknown,
  /// the URL is another source of that file, and received bytes are resumed if a probe confirms
  /// them. Otherwise it is another file, which is fetched once each source of the existing one has
  /// failed permanently.
  fileprivate mutating func join(
    _ described: Variant, _ joining: EpisodeDescription.Joining
  ) {
    let urls = Set(described.sources.map(\.url))
    let failed = Set(variants.flatMap(\.sources).filter { $0.failure != nil }.map(\.url))
    replace(failures: Dictionary(uniqueKeysWithValues: urls.map { ($0, nil) }))
    let isKnown = variants.contains { $0.isSameFile(as: described, urls) }
    if !isKnown, let index = variants.firstIndex(where: { $0 == variant }),
      variants[index].hasFigures(of: described)
    {
      variants[index].sources += described.sources
    } else {
      merge(described)
    }
    guard joining == .replacing else { return }
    let spent = failed.isEmpty && state == .failed ? Set(self.urls) : failed
    for index in variants.indices {
      let isChosen = chosen.map { variants[index].isNamed($0) } ?? false
      variants[index].sources.removeAll { spent.contains($0.url) && !urls.contains($0.url) }
      // A choice identifies a variant by one of its sources.
      if isChosen { chosen = variants[index].key }
    }
    variants.removeAll { $0.sources.isEmpty }
  }
}

extension Variant {
  /// Whether a description refers to this file: they share a source or a digest.
  fileprivate func isSameFile(as described: Variant, _ urls: Set<String>) -> Bool {
    sources.contains { urls.contains($0.url) }
      || (sha256 != nil && sha256 == described.sha256)
  }

  /// Whether the published figures are the same, or unknown for both.
  fileprivate func hasFigures(of described: Variant) -> Bool {
    (height, bitrate, size) == (described.height, described.bitrate, described.size)
      && sha256 == described.sha256
  }
}

extension Part {
  /// Merges a described variant into the part. Two variants are the same file if they share a
  /// source or a digest. They are also the same if neither has a source and their digests do not
  /// differ: such a file exists only on disk. Described values override recorded ones, so that a
  /// wrong digest can be corrected.
  fileprivate mutating func merge(_ described: Variant) {
    let urls = Set(described.sources.map(\.url))
    let index = variants.firstIndex { variant in
      variant.isSameFile(as: described, urls)
        || variant.sources.isEmpty && described.sources.isEmpty
          && (variant.sha256 == nil || described.sha256 == nil)
    }
    guard let index else {
      variants.append(described)
      return
    }
    for source in described.sources {
      if let known = variants[index].sources.firstIndex(where: { $0.url == source.url }) {
        variants[index].sources[known].secret =
          source.secret ?? variants[index].sources[known].secret
        // A URL that the user typed may refer to any network, even if a bundle names it too.
        if !source.isForeign { variants[index].sources[known].isForeign = false }
      } else {
        variants[index].sources.append(source)
      }
    }
    variants[index].height = described.height ?? variants[index].height
    variants[index].bitrate = described.bitrate ?? variants[index].bitrate
    variants[index].type = described.type ?? variants[index].type
    variants[index].size = described.size ?? variants[index].size
    variants[index].sha256 = described.sha256 ?? variants[index].sha256
    variants[index].duration = described.duration ?? variants[index].duration
  }
}
