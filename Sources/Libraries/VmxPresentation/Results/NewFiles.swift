import VmxModel

/// The files that a run has published, summarised as the deepest folder that contains all of them.
///
/// ```swift
/// var files = NewFiles()
/// files.add("/films/Show/Season 01/one.mp4")
/// files.note  // "the file is '/films/Show/Season 01/one.mp4'"
/// ```
package struct NewFiles: Sendable, Equatable {
  private var count = 0
  private var bytes: Int64 = 0
  /// The components of the path that all files have in common.
  private var common: [Substring] = []

  /// Creates a summary without files.
  package init() {}

  /// Adds a file by its absolute path; an empty path is ignored.
  ///
  /// - Parameter bytes: its size; nil while it is unknown.
  package mutating func add(_ path: String, bytes size: Int64? = nil) {
    guard !path.isEmpty else { return }
    bytes = bytes.addingClamped(size ?? 0)
    let components = path.split(separator: "/", omittingEmptySubsequences: true)
    count += 1
    guard count > 1 else { return common = components }
    let same = zip(common, components).prefix { $0 == $1 }.count
    // The last component of a path is a file name, and no other file can be below it.
    common = Array(common.prefix(min(same, components.count - 1)))
  }

  /// The location of the files, as one phrase; nil without files.
  package var note: String? {
    guard count > 0 else { return nil }
    let path = "/" + common.joined(separator: "/")
    return count == 1 ? "the file is '\(path)'" : "the \(count) files are in '\(path)'"
  }

  /// Describes a run that made episodes ready, and its other results, as one sentence; nil without
  /// files.
  ///
  /// - Parameters:
  ///   - tally: the results of the run, of which each file is one.
  ///   - duration: the time of the run in milliseconds.
  package func sentence(of tally: Tally, duration: Int64) -> String? {
    guard count > 0 else { return nil }
    var facts = [count == 1 ? "1 episode ready" : "\(count) episodes ready"]
    if bytes > 0 { facts.append(ByteCount(clamping: bytes).forPeople) }
    facts.append(TimeText.duration(milliseconds: duration))
    let path = "/" + common.joined(separator: "/")
    let head = facts.joined(separator: ", ") + (count == 1 ? ": '\(path)'" : ", in '\(path)'")
    return ([head] + tally.counts(withoutDone: count)).joined(separator: "; ")
  }
}
