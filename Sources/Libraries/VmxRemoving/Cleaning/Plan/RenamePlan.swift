import VmxModel
import VmxNaming
import VmxSystem

// A name may be taken. If a file without a record has it, the rename is refused. If the file that
// has it is not renamed, the next of ` (2)`, ` (3)` is tried. If that file is itself renamed, the
// rename waits for it. In a cycle of waiting files, one of them first gets a temporary name. So
// does a file whose new name differs only in case, on a file system that ignores case.

/// Plans the renames of the files of one root, in an order in which each name is free.
struct RenamePlan {
  /// An episode whose files do not have the names of its record.
  private struct Candidate {
    var episode: Episode
    /// Whether its files have a temporary name.
    var hasTemporaryName = false
  }

  /// The availability of the names of an episode.
  private enum Verdict {
    case free
    /// A file that will be renamed has one of them.
    case waits
    /// A file that will not be renamed has one of them.
    case occupied
    /// A file without a record has the name.
    case foreign(String)
    /// The file of the part itself has the name, on a file system that ignores case.
    case sameFile
  }

  private let root: String
  private let recorded: KnownHashes
  private let naming: NameTemplate
  private let facts: (String) throws -> FileFacts?
  private let isSpelling: (String, String) throws -> Bool
  private var candidates: [Candidate] = []
  /// The hashes of the paths that planned steps free, and of those that they occupy.
  private var freed: Set<UInt64> = []
  private var targets: Set<UInt64> = []
  /// The hashes of the current paths of files that will be renamed.
  private var sources: Set<UInt64> = []

  /// Creates an empty plan.
  ///
  /// - Parameters:
  ///   - recorded: the hashes of all recorded paths of the root.
  ///   - facts: inspects a path below the root.
  ///   - isSpelling: whether the file system takes an existing path for another spelling of a
  ///     second one, the path of a file.
  init(
    in root: String, recorded: KnownHashes, by naming: NameTemplate,
    facts: @escaping (String) throws -> FileFacts?,
    isSpelling: @escaping (String, String) throws -> Bool
  ) {
    self.root = root
    self.recorded = recorded
    self.naming = naming
    self.facts = facts
    self.isSpelling = isSpelling
  }

  /// Adds an episode with its first choice of moves.
  mutating func add(_ episode: Episode, _ moves: [FileMove]) {
    candidates.append(Candidate(episode: episode))
    sources.formUnion(moves.map { StableHash.of($0.from) })
  }

  /// Returns the steps in the order of their execution. An episode has no step if all earlier names
  /// than its current one are taken, or if a file is missing.
  ///
  /// - Throws: errors of the file system.
  mutating func steps() throws -> [CleaningStep] {
    var steps: [CleaningStep] = []
    var waiting = candidates
    var isReversed = false
    while !waiting.isEmpty {
      var left: [Candidate] = []
      let planned = steps.count
      // A chain of episodes, each waiting for the next one's name, is resolved from its end.
      for candidate in isReversed ? waiting.reversed() : waiting {
        if let more = try self.steps(of: candidate, &steps) { left.append(more) }
      }
      if isReversed { left.reverse() }
      isReversed.toggle()
      if left.count == waiting.count, steps.count == planned {
        // Files wait for each other in a cycle: one of them gets a temporary name.
        guard let index = left.firstIndex(where: { !$0.hasTemporaryName }) else { break }
        if try !planTemporaryName(&left[index], &steps) { left.remove(at: index) }
      }
      waiting = left
    }
    return steps
  }

  /// Plans the step of an episode.
  ///
  /// - Returns: the candidate if it has to wait for another; nil if it is settled.
  private mutating func steps(
    of candidate: Candidate, _ steps: inout [CleaningStep]
  ) throws -> Candidate? {
    for copy in 1...MediaName.copies {
      let moves = self.moves(of: candidate, copy)
      if moves.isEmpty { return reject(candidate) }
      switch try verdict(on: moves) {
      case .free:
        try append(candidate, moves, to: &steps)
        return nil
      case .occupied: continue
      case .waits: return candidate
      case .sameFile:
        var candidate = candidate
        guard try planTemporaryName(&candidate, &steps) else { return nil }
        freed.formUnion(moves.map { StableHash.of($0.to) })
        return candidate
      case .foreign(let path):
        let isNamed = (copy...MediaName.copies).contains { self.moves(of: candidate, $0).isEmpty }
        if !isNamed { try refuse(candidate, moves, at: path, steps: &steps) }
        return reject(candidate)
      }
    }
    return reject(candidate)
  }

  /// Drops a candidate, whose files are not renamed.
  private mutating func reject(_ candidate: Candidate) -> Candidate? {
    let paths = candidate.episode.parts.filter { $0.root == root }.compactMap(\.path)
    sources.subtract(paths.map { StableHash.of($0) })
    return nil
  }

  /// Plans a temporary name: the first free one with a number.
  private mutating func planTemporaryName(
    _ candidate: inout Candidate, _ steps: inout [CleaningStep]
  ) throws -> Bool {
    for copy in 2...MediaName.copies {
      let moves = self.moves(of: candidate, copy)
      guard !moves.isEmpty, case .free = try verdict(on: moves) else { continue }
      guard try append(candidate, moves, to: &steps) else { return false }
      for move in moves {
        candidate.episode.apply(move)
        sources.insert(StableHash.of(move.to))
      }
      candidate.hasTemporaryName = true
      return true
    }
    _ = reject(candidate)
    return false
  }

  private func moves(of candidate: Candidate, _ copy: Int) -> [FileMove] {
    MediaName.moves(of: candidate.episode, in: root, copy: copy, by: naming)
  }

  private func verdict(on moves: [FileMove]) throws -> Verdict {
    var (waits, isTaken, isSame) = (false, false, false)
    for move in moves {
      let hash = StableHash.of(move.to)
      if targets.contains(hash) || recorded.contains(hash) && !freed.contains(hash) {
        if sources.contains(hash) { waits = true } else { isTaken = true }
      } else if !freed.contains(hash), let there = try facts(move.to) {
        guard there.links == 1, try isSpelling(move.to, move.from) else {
          return .foreign(move.to)
        }
        isSame = true
      }
    }
    if isTaken { return .occupied }
    return waits ? .waits : isSame ? .sameFile : .free
  }

  /// - Returns: false if a file is missing, so that the episode has no step.
  @discardableResult
  private mutating func append(
    _ candidate: Candidate, _ moves: [FileMove], to steps: inout [CleaningStep]
  ) throws -> Bool {
    guard let step = try step(candidate, moves) else {
      _ = reject(candidate)
      return false
    }
    steps.append(step)
    for move in moves {
      let (from, to) = (StableHash.of(move.from), StableHash.of(move.to))
      sources.remove(from)
      targets.remove(from)
      freed.insert(from)
      targets.insert(to)
      freed.remove(to)
    }
    return true
  }

  private mutating func refuse(
    _ candidate: Candidate, _ moves: [FileMove], at path: String, steps: inout [CleaningStep]
  ) throws {
    guard var step = try step(candidate, moves) else { return }
    step.failure = .nameTaken(path)
    steps.append(step)
  }

  /// Returns the step of an episode, identified by its first move; nil if a file is missing.
  private func step(_ candidate: Candidate, _ moves: [FileMove]) throws -> CleaningStep? {
    guard let first = moves.first else { return nil }
    var mark: FileMark?
    for move in moves where !candidate.hasTemporaryName {
      guard let facts = try facts(move.from), facts.isRegular else { return nil }
      if move == first { mark = FileMark(facts) }
    }
    let episode = candidate.episode
    // The first step of an episode changes the revision of its record.
    let rev = candidate.hasTemporaryName ? nil : episode.rev
    let part = RecordedPart(
      first.part, of: EpisodeRevision(episode.id, rev: rev), root: root,
      path: PathBytes(first.from))
    return CleaningStep(
      .rename(part, target: PathBytes(first.to), mark),
      explanation: "its name should be '\(first.to)'"
        + (moves.count > 1 ? ", and \(moves.count - 1) more" : ""),
      bytes: episode.part(named: first.part)?.size)
  }
}
