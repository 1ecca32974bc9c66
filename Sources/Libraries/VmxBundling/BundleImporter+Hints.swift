import SystemPackage
import VmxArchive
import VmxModel
import VmxNaming

// The hints of the catalogue name options of `vmx import` that do not help in each case: without
// records, no episode can be imported alone, and standard input cannot be read again.

extension BundleImporter {
  /// Returns the failure to read a bundle with the next step for this bundle.
  ///
  /// - Parameter hasRecords: whether the records were read, without which no episode is known to be
  ///   intact.
  func failure(
    _ error: any CodedError, of source: BundleSource, isVerification: Bool, hasRecords: Bool
  ) -> Failure {
    let failure = Failure(error)
    guard failure.hint == failure.code.entry.hint else { return failure }
    if failure.code == .notABundle, let path = source.path,
      CompanionFileName.isVideo(path.extension ?? "")
    {
      let file = ShellWord.quoted(path.string)
      return Failure(failure.code, failure.summary, hint: "run 'vmx add \(file)' to add a video")
    }
    var steps = [Self.copyAgain]
    if case .refused(_, let fault)? = error as? ArchiveError {
      // Another copy has the same entry.
      steps = [fault == .link ? "unpack the bundle, and import its folder" : failure.hint]
    }
    if let file = source.path.map({ ShellWord.quoted($0.string) }) {
      if failure.code == .bundleInvalid, !isVerification {
        steps.append("'vmx import --verify \(file)' lists the files that differ")
      } else if hasRecords, !options.importsIntact {
        steps.append("'vmx import --intact \(file)' imports the intact episodes")
      }
    }
    return Failure(failure.code, failure.summary, hint: steps.joined(separator: "; "))
  }

  /// The next step for a damaged bundle.
  static let copyAgain = "copy the bundle again from its source"

  /// Returns the next step for an episode with an invalid record.
  static func hint(ofRecord failure: Failure) -> String {
    switch failure.code {
    case .badLine where failure.hint != failure.code.entry.hint: failure.hint
    case .sourceUnsupported, .badURL:
      "a bundle may only name files on web servers: remove this source, and export it again"
    default: "export the episode again with a current vmx; the other episodes are not affected"
    }
  }
}
