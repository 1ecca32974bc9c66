/// The files that a run has brought, summed up as the folder that has them all.
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

  /// Creates a sum without files.
  package init() {}

  /// Adds a file by its absolute path; an empty path is ignored.
  package mutating func add(_ path: String) {
    guard !path.isEmpty else { return }
    let components = path.split(separator: "/", omittingEmptySubsequences: true)
    count += 1
    guard count > 1 else { return common = components }
    let same = zip(common, components).prefix { $0 == $1 }.count
    // The last component of a path is a file, which no other file lies below.
    common = Array(common.prefix(min(same, components.count - 1)))
  }

  /// Where the files are, as one phrase; nil without files.
  package var note: String? {
    guard count > 0 else { return nil }
    let path = "/" + common.joined(separator: "/")
    return count == 1 ? "the file is '\(path)'" : "the \(count) files are below '\(path)'"
  }
}
