import SystemPackage
package import VmxModel
import VmxSystem

// A diagnosis reads the store as any reader does: it takes no lock, and creates and changes
// nothing. So it may run at any time. It ignores lines that other processes append during it.

/// Sizes and versions of a store for a report, without any of its content.
package struct StoreMeasure: Sendable, Equatable {
  /// The size of the file in bytes.
  package let size: Int
  /// The number of lines, including the header and blank lines.
  package let lines: Int
  /// The number of live records of all kinds.
  package let records: Int
  /// The number of bytes in lines that are no longer current.
  package let deadBytes: Int
  /// The format version such as `1.0`; nil if the header is lost.
  package let format: String?
  /// The number of the compaction, increased by one each time; nil if the header is lost.
  package let epoch: Int64?
}

/// The source of the library's UUID if the store has lost its header.
package enum LibraryIDSource: Sendable, Equatable {
  /// The mark of a root contains this UUID.
  case found(String)
  /// There are no roots, so a new UUID may be generated.
  case free
  /// There are roots, but none of them is mounted, so its mark cannot be read.
  case hidden
}

/// Examines the store of a library and the files beside it.
package struct StoreDiagnosis: Sendable {
  let home: LibraryHome
  let options: StoreOptions
  let clock: any WallClock
  private let paths: StatePaths?
  private let libraryID: @Sendable (StoreSnapshot) -> LibraryIDSource

  /// The findings, and the store as it was when it was examined.
  package struct Result: Sendable {
    /// All findings, in the order of the checks.
    package var findings: [Finding] = []
    /// The sizes; nil if there is no store that can be read.
    package var measure: StoreMeasure?
    /// The library as it was when it was examined; nil if there is no store that can be read.
    package var snapshot: StoreSnapshot?
  }

  /// Prepares the diagnosis of the library at a home; nothing is read yet.
  ///
  /// - Parameters:
  ///   - paths: the transitions that a trail may have; nil if trails are not checked.
  ///   - libraryID: returns the library's UUID for a store that has lost its header.
  package init(
    _ home: LibraryHome, options: StoreOptions, clock: any WallClock, paths: StatePaths? = nil,
    libraryID: @escaping @Sendable (StoreSnapshot) -> LibraryIDSource
  ) {
    self.home = home
    self.options = options
    self.clock = clock
    self.paths = paths
    self.libraryID = libraryID
  }

  /// Runs all checks. A file that cannot be examined becomes a finding.
  package func examine() -> Result {
    var result = Result()
    guard let isThere = home(&result.findings), isThere else { return result }
    result.findings += permissions() + locks() + space()
    store(&result)
    result.findings += snapshotFile(beside: result.snapshot) + damagedLines()
    return result
  }

  private func store(_ result: inout Result) {
    do throws(StoreError) {
      guard let file = try StoreFile.open(home.store, writable: false) else {
        result.findings.append(try absent())
        return
      }
      let image = try StoreImage(of: file)
      let cache = IndexCache(home, roots: options.roots)
      let snapshot = StoreSnapshot(image, cache: cache)
      let index = snapshot.index(of: image)
      let inspected = StoreSnapshot.inspect(image, index, for: paths)
      let damage = inspected.damage
      let statistics = LineStatistics(of: image, damage: damage)
      result.snapshot = snapshot
      result.measure = StoreMeasure(
        size: image.size, lines: statistics.lines, records: index.indices { _ in true }.count,
        deadBytes: index.deadBytes, format: file.header.map { "\($0.major).\($0.minor)" },
        epoch: file.header?.epoch)
      result.findings.append(try header(of: file, statistics, snapshot))
      result.findings +=
        lines(damage, statistics: statistics, in: snapshot)
        + order(statistics, index: index, header: file.header)
      result.findings += try end(of: image)
      result.findings += aliases(in: snapshot)
      if paths != nil { result.findings += trails(of: inspected) }
      result.findings.append(clock(against: snapshot))
    } catch {
      result.findings.append(.failure(.header, error))
    }
  }

  /// Returns the finding for a missing store: a problem only if there is a snapshot.
  private func absent() throws(StoreError) -> Finding {
    guard try home.hasSnapshot() else { return .ok(.header, "no store yet") }
    return .problem(
      .header, .storeDamaged, summary: "the store is missing or empty, but its snapshot exists",
      hint: "restore the file, or run 'vmx doctor --mend' to restore the snapshot",
      isMendable: true)
  }

  private func header(
    of file: StoreFile, _ statistics: LineStatistics, _ snapshot: StoreSnapshot
  ) throws(StoreError) -> Finding {
    guard let header = file.header else {
      if file.facts.size == 0 {
        return try home.hasSnapshot() ? absent() : .ok(.header, "the store is empty")
      }
      let before = try StoreFile.open(home.snapshot, writable: false)?.header
      let other = statistics.header ?? before
      let isHidden = other == nil && libraryID(snapshot) == .hidden
      return .problem(
        .header, .storeDamaged, summary: "the first line of the store is not a header",
        hint: isHidden
          ? "mount a media folder of the library, whose mark has its UUID, and run this again"
          : "run 'vmx doctor --mend' to restore it",
        isMendable: !isHidden)
    }
    if header.major < StoreHeader.major {
      return .problem(.header, .storeTooOld, summary: "the store has format \(header.major)")
    }
    let format = "format \(header.major).\(header.minor), epoch \(header.epoch)"
    if header.minor > StoreHeader.minor {
      return .note(
        .header, "written by a newer vmx: \(format)", hint: "install that version or a newer one")
    }
    return .ok(.header, format)
  }

  private func clock(against snapshot: StoreSnapshot) -> Finding {
    do throws(StoreError) {
      try snapshot.checkClock(now: clock.now)
      return .ok(.clock, "the clock agrees with the newest line")
    } catch {
      guard case .clockSuspect(let now, let newest) = error, newest > now else {
        return .failure(.clock, error)
      }
      return .problem(
        .clock, .clockSuspect, summary: "lines of the store have times in the future",
        of: newest.text,
        hint: "set the clock if it is wrong, else run 'vmx doctor --mend' to set these lines to "
          + "the present time", isMendable: true)
    }
  }

  private func aliases(in snapshot: StoreSnapshot) -> [Finding] {
    let circles = snapshot.aliasCircles
    if circles.isEmpty { return [.ok(.aliases, "no alias is circular")] }
    return circles.map { circle in
      .problem(
        .aliases, .storeDamaged, summary: "\(circle.count) aliases form a circle",
        of: (circle + circle.prefix(1)).joined(separator: " > "),
        hint: "run 'vmx doctor --mend' to remove them", isMendable: true)
    }
  }
}

extension StoreSnapshot {
  /// The cycles of aliases: ids that refer to each other and never to an episode. Each cycle is
  /// listed once, with its ids in the order in which they refer to each other.
  var aliasCircles: [[String]] {
    var next: [String: String] = [:]
    records(of: .alias) { record in
      next[record.id] = record.fields["to"]?.string
      return true
    }
    var circles: [[String]] = []
    var done: Set<String> = []
    for first in next.keys.sorted() where !done.contains(first) {
      var path: [String] = []
      var indices: [String: Int] = [:]
      var id: String? = first
      while let current = id, !done.contains(current) {
        if let index = indices[current] {
          let circle = Array(path[index...])
          // If an episode has one of the ids, a lookup ends there and the aliases form no cycle.
          if !circle.contains(where: { record(.episode, $0) != nil }) { circles.append(circle) }
          break
        }
        indices[current] = path.count
        path.append(current)
        id = next[current]
      }
      done.formUnion(path)
    }
    return circles
  }
}
