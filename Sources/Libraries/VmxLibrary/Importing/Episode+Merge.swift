import VmxModel

extension Episode {
  /// Adds described parts, or merges them into the parts of the same names.
  mutating func merge(_ described: [Part]) {
    var places: [String: Int] = [:]
    for (place, part) in parts.enumerated().reversed() { places[part.name] = place }
    for part in described {
      guard let place = places[part.name] else {
        places[part.name] = parts.count
        parts.append(part)
        continue
      }
      if part.isRequired { parts[place].isRequired = true }
      for variant in part.variants { parts[place].merge(variant) }
    }
  }
}

extension Part {
  /// Merges a described variant into the part. Two variants are the same file if they share a
  /// source or a digest. They also are if neither has a source and their digests do not differ:
  /// that is a file which exists only on disk. The later size, digest and duration win, so that a
  /// wrong digest can be corrected.
  fileprivate mutating func merge(_ described: Variant) {
    let urls = Set(described.sources.map(\.url))
    let place = variants.firstIndex { variant in
      variant.sources.contains { urls.contains($0.url) }
        || (variant.sha256 != nil && variant.sha256 == described.sha256)
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
