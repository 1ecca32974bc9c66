import ArgumentParser
import SystemPackage
import VmxModel
import VmxSystem

/// The options that limit a fetch to damaged or missing files.
struct RepairOptions: ParsableArguments {
  @Flag(
    help: "Only bring back files that are damaged or missing; what is intact of them is kept.")
  var repair = false

  @Option(
    help: ArgumentHelp(
      "With --repair and one episode: take from this copy what is intact there.",
      valueName: "file"))
  var from: String?

  /// Returns the path of the given copy.
  ///
  /// - Throws: `usage` unless one episode is named, and `input-missing` if the copy cannot be read.
  func copy(for episodes: [String]) throws(Failure) -> FilePath? {
    guard let from else { return nil }
    guard repair, episodes.count == 1, !WebURL.isMeant(by: episodes[0]) else {
      throw Failure(.usage, "--from takes --repair and the id of one episode")
    }
    do throws(FileError) {
      let file = try OpenFile(FilePath(argument: from), .readOnly, followingLinks: true)
      return file.path
    } catch {
      throw Failure(.inputMissing, "cannot read '\(ArgumentText.shown(from))'")
    }
  }
}
