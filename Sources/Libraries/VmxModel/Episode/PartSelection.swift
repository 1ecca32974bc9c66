/// A selection of parts of an episode: all of a role, `subtitle`, or the part with a name,
/// `subtitle:en` or `subtitle:en.forced`.
package struct PartSelection: Sendable, Equatable {
  private var roles: Set<PartRole> = []
  private var names: Set<String> = []

  /// Selects all parts of the given roles.
  package init(roles: Set<PartRole>) {
    self.roles = roles
  }

  /// Parses roles and names; one text may hold several, separated by commas; a role may be plural.
  ///
  /// - Throws: `usage` naming the word that is neither a role nor a name.
  package init(_ texts: [String]) throws(Failure) {
    for text in texts {
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        try add(String(word))
      }
    }
  }

  /// Whether the selection contains a part.
  package func contains(_ part: Part) -> Bool {
    roles.contains(part.role) || names.contains(part.name)
  }

  private mutating func add(_ word: String) throws(Failure) {
    let halves = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let plain = String(halves.first ?? "")
    let role = PartRole(rawValue: plain) ?? PartRole.allCases.first { "\($0.rawValue)s" == plain }
    guard let role else { throw Self.unknown(word) }
    guard halves.count == 2 else {
      roles.insert(role)
      return
    }
    let pieces = halves[1].split(separator: ".", omittingEmptySubsequences: false)
    let flags = pieces.dropFirst().map { $0.lowercased() }
    guard let language = LanguageTag.normalised(String(pieces[0])),
      flags.allSatisfy({ ["forced", "sdh"].contains($0) })
    else { throw Self.unknown(word) }
    var part = Part(role: role, language: language, variants: [])
    part.isForced = flags.contains("forced")
    part.isSDH = flags.contains("sdh")
    names.insert(part.name)
  }

  private static func unknown(_ word: String) -> Failure {
    let roles = PartRole.allCases.map(\.rawValue).joined(separator: ", ")
    return Failure(
      .usage, "'\(word)' is no part",
      hint: "name parts as \(roles), with a language where they have one: subtitle:en")
  }
}
