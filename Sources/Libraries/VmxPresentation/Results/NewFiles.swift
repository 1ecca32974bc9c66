/// The files that a run has published, summarised as the deepest folder that contains all of them.
///
/// ```swift
/// var files = NewFiles()
/// files.add("/films/Show/Season 01/one.mp4")
/// files.note  // "the file is '/films/Show/Season 01/one.mp4'"
/// ```
package struct NewFiles: Sendable, Equatable {
  private var count = 0
  /// The components of the path that all files have in common.
  private var common: [Substring] = []

  /// Creates a summary without files.
  package init() {}

  /// Adds a file by its absolute path; an empty path is ignored.
  package mutating func add(_ path: String) {
    guard !path.isEmpty else { return }
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
}
