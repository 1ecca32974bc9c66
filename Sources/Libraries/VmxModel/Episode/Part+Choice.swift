// A choice is recorded by the source, not by the place in the list: what is said of a part later
// adds files and mirrors, and may put them in another order.

extension Part {
  /// The files that can be fetched.
  package var offered: [Variant] { variants.filter { !$0.sources.isEmpty } }

  /// The file that stands for the part: the one chosen, else the first that can be fetched, else
  /// the first.
  package var variant: Variant? {
    let chosen = chosen.flatMap { key in variants.first { $0.isNamed(key) } }
    return chosen ?? variants.first { !$0.sources.isEmpty } ?? variants.first
  }

  /// Where that file can be had, in the order in which the places are tried.
  package var urls: [String] { variant?.sources.map(\.url) ?? [] }
}

extension Variant {
  /// The name under which it is recorded as chosen: 16 hexadecimal digits, the `StableHash` of the
  /// URL of its first source; nil without a source.
  package var key: String? { sources.first.map { Self.key(of: $0) } }

  /// Whether a choice means this file, by whichever of its sources it was recorded.
  package func isNamed(_ key: String) -> Bool {
    sources.contains { Self.key(of: $0) == key }
  }

  private static func key(of source: Source) -> String { Hex.text(of: StableHash.of(source.url)) }
}
