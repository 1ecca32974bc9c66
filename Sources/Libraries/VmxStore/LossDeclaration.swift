package import VmxModel
import VmxSystem

// The user says that a root will not come back, or takes that back. A home that is restored from a
// backup before that would expect the disk again. The declaration is therefore also in the marks of
// the other roots, with its time, and the later of two holds.

/// The last statement of the user about whether a root will come back.
package struct LossDeclaration: Sendable, Equatable {
  /// Whether the root will not come back.
  package let isLost: Bool
  /// The time of the statement.
  package let at: Timestamp

  /// Creates a statement.
  package init(isLost: Bool, at: Timestamp) {
    self.isLost = isLost
    self.at = at
  }
}

extension StoredRecord {
  /// The fields of a root: whether it is lost, and the time of the declaration.
  private static let lostField = "lost"
  private static let lostAtField = "lost_at"

  /// Whether it is the record of a root that will not come back, as the user has said.
  package var isLostRoot: Bool { kind == .root && fields[Self.lostField]?.bool == true }

  /// The last declaration about the root; nil if there is none. A loss that an earlier version
  /// recorded has the time of the line.
  package var lossDeclaration: LossDeclaration? {
    let at = fields[Self.lostAtField]?.string.flatMap { Timestamp($0) } ?? (isLostRoot ? at : nil)
    return at.map { LossDeclaration(isLost: isLostRoot, at: $0) }
  }

  /// Returns the record of a root after a declaration about it.
  package func declared(_ declaration: LossDeclaration) -> StoredRecord {
    var fields = fields.without([Self.lostField, Self.lostAtField])
    if declaration.isLost { fields.append(Self.lostField, true) }
    fields.append(Self.lostAtField, declaration.at.text)
    return StoredRecord(kind: kind, id: id, fields: fields)
  }
}

extension StoreSnapshot {
  /// The last declarations about all roots, by their UUIDs.
  package var lossDeclarations: [String: LossDeclaration] {
    var found: [String: LossDeclaration] = [:]
    records(of: .root) { record in
      found[record.id] = record.lossDeclaration
      return true
    }
    return found
  }

  /// Returns the declarations in a mark of this library that are later than those of the store,
  /// about roots that it knows otherwise.
  ///
  /// - Parameter now: the current time; a time that is ahead of it was written by a wrong clock.
  package func newerDeclarations(
    in mark: RootMark, now: Timestamp
  ) -> [String: LossDeclaration] {
    guard mark.library == header?.library else { return [:] }
    return mark.declarations.filter { uuid, declaration in
      guard let known = record(.root, uuid), !TrustedClock.isAhead(declaration.at, of: now) else {
        return false
      }
      return known.isLostRoot != declaration.isLost
        && known.lossDeclaration.map { $0.at < declaration.at } ?? true
    }
  }
}

extension RootMark {
  /// The maximum number of declarations in a mark, which is read as a whole with each use of the
  /// root; the latest are kept.
  private static let maxDeclarations = 24

  /// Returns the mark with later declarations about other roots.
  package func declaring(_ others: [String: LossDeclaration]) -> RootMark {
    var merged = declarations.merging(others) { $0.at < $1.at ? $1 : $0 }
    merged[root] = nil
    let latest = merged.sorted { ($1.value.at, $0.key) < ($0.value.at, $1.key) }
    return RootMark(
      root: root, library: library,
      declarations: Dictionary(
        latest.prefix(Self.maxDeclarations).map { ($0.key, $0.value) },
        uniquingKeysWith: { first, _ in first }))
  }
}
