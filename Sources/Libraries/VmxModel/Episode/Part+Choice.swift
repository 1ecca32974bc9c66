// A choice is recorded by its source, not by its index in the list. A later description of the part
// may add files and mirrors and change their order.

extension Part {
  /// The variants that can be fetched.
  package var offered: [Variant] { variants.filter { !$0.sources.isEmpty } }

  /// The selected variant: the chosen one, else the first that can be fetched, else the first.
  package var variant: Variant? {
    let chosen = chosen.flatMap { key in variants.first { $0.isNamed(key) } }
    return chosen ?? variants.first { !$0.sources.isEmpty } ?? variants.first
  }

  /// The URLs of the selected variant, in the order in which they are tried.
  package var urls: [String] { variant?.sources.map(\.url) ?? [] }
}

extension Variant {
  /// The key under which a choice of this variant is recorded; nil without a source.
  ///
  /// It is the `StableHash` of the URL of the first source, as 16 hexadecimal digits.
  package var key: String? { sources.first.map { Self.key(of: $0) } }

  /// Whether a recorded choice means this variant, by any of its sources.
  package func isNamed(_ key: String) -> Bool {
    sources.contains { Self.key(of: $0) == key }
  }

  private static func key(of source: Source) -> String { Hex.text(of: StableHash.of(source.url)) }
}
