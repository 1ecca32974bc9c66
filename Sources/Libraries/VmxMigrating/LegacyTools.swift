package import SystemPackage

/// The programs and folders that readers use in addition to their input files.
package struct LegacyTools: Sendable {
  /// Returns the path of a program by its name; nil if it is not installed.
  let program: @Sendable (String) -> FilePath?
  /// The folder for private copies of databases.
  let scratch: FilePath
  /// The source URLs that the user gave for partial files.
  package var sources = LegacySources()
  /// Whether items of feeds whose medium is audio become episodes.
  package var takesAudio = true

  /// Creates the tools of a run.
  package init(scratch: FilePath, program: @escaping @Sendable (String) -> FilePath?) {
    self.scratch = scratch
    self.program = program
  }
}
