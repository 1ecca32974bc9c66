import SystemPackage
import VmxModel
import VmxTestSupport

@testable import VmxMigrating

/// A folder of another program, created for one test.
struct LegacyTree {
  /// No program is installed.
  static let tools = LegacyTools(scratch: "/tmp") { _ in nil }

  let scratch: ScratchFolder

  init(_ files: [String: String] = [:]) throws {
    scratch = try ScratchFolder()
    for (name, text) in files { try scratch.write(name, text) }
  }

  /// Reads the whole folder, or paths in it that the user gives together.
  func read(_ kind: LegacyKind, _ paths: String...) throws -> Read {
    let named = paths.isEmpty ? [scratch.path.string] : paths.map { scratch.path($0).string }
    let inputs = LegacyInput.inputs(named, of: kind) { FilePath($0) }
    return Read(try inputs.flatMap { try $0.findings(LegacyTree.tools) }, below: scratch.path)
  }
}

/// The findings of a reader, with paths relative to the folder.
struct Read {
  let episodes: [LegacyEpisode]
  /// The skipped files and lines, with the reasons.
  let left: [String: MigrationDoubt]
  /// The pages of files that interrupted downloads have left.
  let pages: [String: String]
  /// The folders that are left out, with the number of their files.
  let excluded: [String: Int]
  /// The unreadable files and lines.
  let refused: [String: ErrorCode]
  /// The number of times that each file is named, by an episode or alone.
  let counts: [String: Int]

  init(_ findings: [LegacyFinding], below folder: FilePath) {
    func name(_ path: String) -> String { String(path.dropFirst(folder.string.count + 1)) }
    var (episodes, left, refused):
      ([LegacyEpisode], [String: MigrationDoubt], [String: ErrorCode]) =
        ([], [:], [:])
    var counts: [String: Int] = [:]
    var excluded: [String: Int] = [:]
    var pages: [String: String] = [:]
    for finding in findings {
      switch finding {
      case .episode(let episode):
        episodes.append(episode)
        for file in episode.files { counts[name(file.path.string), default: 0] += 1 }
        if let partial = episode.partial { counts[name(partial.path.string), default: 0] += 1 }
      case .skipped(let path, _, let doubt):
        left[name(path.string)] = doubt
        counts[name(path.string), default: 0] += 1
      case .left(let file, let doubt, let page):
        left[name(file.path.string)] = doubt
        pages[name(file.path.string)] = page
        counts[name(file.path.string), default: 0] += 1
      case .excluded(let folder): excluded[name(folder.path.string)] = folder.count
      case .subscriptions: break
      case .refused(let record, let failure):
        refused[name(record)] = failure.code
        counts[name(record), default: 0] += 1
      }
    }
    (self.excluded, self.pages) = (excluded, pages)
    (self.episodes, self.left, self.refused, self.counts) = (episodes, left, refused, counts)
  }

  /// The episode, if there is exactly one.
  var episode: LegacyEpisode? { episodes.count == 1 ? episodes.first : nil }
}

extension LegacyEpisode {
  /// The names of its parts, with the names of their files.
  var fileNames: [String: String] {
    Dictionary(files.map { ($0.part, $0.path.lastComponent?.string ?? "") }) { $1 }
  }
}

extension LegacyKind {
  /// The kind of a folder or file that is named without `--from`.
  static func guess(_ folder: LegacyFolder) -> LegacyKind {
    ofStore(folder) ?? ofFiles(folder)
  }
}
