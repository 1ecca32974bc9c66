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
    var places: [String: Int] = [:]
    for (place, part) in parts.enumerated().reversed() { places[part.name] = place }
    for part in described {
      guard let place = places[part.name] else {
        places[part.name] = parts.count
        parts.append(part)
        continue
      }
      if part.isRequired { parts[place].isRequired = true }
      let before = parts[place].untried
      let secrets = parts[place].secrets
      parts[place].recordFailureOfSources()
      for variant in part.variants {
        if let joining {
          parts[place].join(variant, joining)
        } else {
          parts[place].merge(variant)
        }
      }
      let renewed = parts[place].secrets.filter { url, secret in
        secrets[url].map { $0 != secret } ?? false
      }
      parts[place].replace(failures: renewed.mapValues { _ in nil })
      if !renewed.isEmpty, parts[place].state == .failed {
        step(of: place, to: parts[place].stateAfterRetry, now: now)
      }
      let isNews = !parts[place].untried.isSubset(of: before)
      if isNews, parts[place].state == .waiting, parts[place].reason == .backoff {
        step(of: place, to: parts[place].stateAfterRetry, now: now)
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
    if !isKnown, let place = variants.firstIndex(where: { $0 == variant }),
      variants[place].hasFigures(of: described)
    {
      variants[place].sources += described.sources
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
    let place = variants.firstIndex { variant in
      variant.isSameFile(as: described, urls)
        || variant.sources.isEmpty && described.sources.isEmpty
          && (variant.sha256 == nil || described.sha256 == nil)
    }
    guard let place else {
      variants.append(described)
      return
    }
    for source in described.sources {
      if let known = variants[place].sources.firstIndex(where: { $0.url == source.url }) {
        variants[place].sources[known].secret =
          source.secret ?? variants[place].sources[known].secret
        // A URL that the user typed may refer to any network, even if a bundle names it too.
        if !source.isForeign { variants[place].sources[known].isForeign = false }
      } else {
        variants[place].sources.append(source)
      }
    }
    variants[place].height = described.height ?? variants[place].height
    variants[place].bitrate = described.bitrate ?? variants[place].bitrate
    variants[place].type = described.type ?? variants[place].type
    variants[place].size = described.size ?? variants[place].size
    variants[place].sha256 = described.sha256 ?? variants[place].sha256
    variants[place].duration = described.duration ?? variants[place].duration
  }
}
