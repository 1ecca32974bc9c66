import ArgumentParser
import SystemPackage
import VmxArchive
import VmxBundling
import VmxCommand
import VmxModel
import VmxPresentation
import VmxSystem

/// The options for the content and the format of a bundle.
struct ExportOptions: ParsableArguments, Sendable {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write to this file or folder; '-' is standard output.", valueName: "file"))
  var output: String
  @Option(
    help: ArgumentHelp(
      "folder, tar, tar.zst, zip, 7z; default: by suffix.", valueName: "type"))
  var type: String?
  @Option(help: ArgumentHelp("File name layout.", valueName: "layout"))
  var layout: BundleContent.Layout = .kodi
  @Option(help: ArgumentHelp("Omit these parts, such as video.", valueName: "parts"))
  var without: [String] = []
  @Option(help: ArgumentHelp("Pack only subtitles in these languages: en,de.", valueName: "lang"))
  var subtitles: [String] = []
  @Flag(help: "List the sources of omitted files in fetch.txt.")
  var fetchList = false
  @Flag(help: "Add a playlist of the videos.")
  var m3u = false
  @Option(
    help: ArgumentHelp(
      "Omit files of this bundle and its bases; repeatable.", valueName: "file"))
  var since: [String] = []
  @Option(
    help: ArgumentHelp("Split into volumes smaller than this, such as 4G.", valueName: "size"))
  var split: String?
  @Flag(help: "Encrypt a zip with AES-256.")
  var encrypt = false
  @Option(
    help: ArgumentHelp("Read the passphrase from this file descriptor.", valueName: "fd"))
  var passphraseFd: Int32?
  @Flag(help: "Pack licence keys too; requires --encrypt.")
  var withKeys = false
  @Flag(help: "Keep tokens and other secrets in addresses.")
  var withSecrets = false
  @Flag(help: "Delete unselected files from the folder.")
  var delete = false
  @Flag(help: "Read all files of the folder; replace damaged ones.")
  var check = false
  @Flag(name: .shortAndLong, help: "Replace an existing file.")
  var force = false

  /// Rejects options that exclude each other.
  func validate() throws {
    guard !withKeys || encrypt else { throw ValidationError("--with-keys requires --encrypt") }
    guard passphraseFd == nil || encrypt else {
      throw ValidationError("--passphrase-fd requires --encrypt")
    }
  }

  /// Returns the target and the format of the bundle.
  ///
  /// - Throws: `usage`, `needs-file`.
  func target(in context: CommandContext) throws(Failure) -> BundleTarget {
    if output.isEmpty { throw Failure(.usage, "--output requires a name") }
    let path = output == "-" ? nil : context.environment.absolute(argument: output)
    let target = try BundleTarget(path, type: type)
    let isZip =
      switch target {
      case .stream(let format), .file(_, let format): format == .zip
      case .folder: false
      }
    if encrypt, !isZip {
      throw Failure(.usage, "only zip supports encryption", hint: "add --type zip")
    }
    if case .folder = target {
      if split != nil || !since.isEmpty {
        throw Failure(.usage, "--split and --since are only valid for archives, not for folders")
      }
    } else if delete || check {
      throw Failure(.usage, "\(delete ? "--delete" : "--check") is only valid for folders")
    }
    if case .file = target {} else if force { throw Failure(.usage, "--force requires a file") }
    if split != nil, output == "-" { throw Failure(.usage, "--split requires a file") }
    if path == nil, context.terminal.isTerminal {
      throw Failure(
        .usage, "refusing to write a bundle to a terminal",
        hint: "give a file, or a pipe behind '-o -'")
    }
    if path == nil, context.isJSON {
      throw Failure(.usage, "--json and '-o -' exclude each other: standard output has the bundle")
    }
    return target
  }

  /// Returns whether the update of a folder deletes the files of an episode that is not selected.
  /// It keeps those of an episode that parental control hides, which cannot be selected.
  func deletion(in context: CommandContext) -> (EpisodeID) -> Bool {
    { [delete, parental = context.parental] in delete && parental.allows($0) }
  }

  /// The names of the bundles of `--since`, which the increment names as its bases.
  var bases: [String] { since.compactMap { FilePath($0).lastComponent?.string } }

  /// Returns the chosen content, after reading the digests of `--since`.
  ///
  /// - Throws: `usage`, as `BundleDigests.read`, `CommandExit` after an interruption.
  func content(
    in context: CommandContext, until interruption: Interruption
  ) throws -> BundleContent {
    var content = BundleContent()
    content.layout = layout
    content.excluded = try PartSelection(without)
    content.withKeys = withKeys
    content.withSecrets = withSecrets
    content.listsSources = fetchList
    content.hasPlaylist = m3u
    if !subtitles.isEmpty {
      content.subtitles = []
      for text in subtitles.flatMap({ $0.split(separator: ",") }) {
        guard let tag = LanguageTag.normalised(String(text)) else {
          throw Failure(.usage, "not a language tag such as de or pt-BR: '\(text)'")
        }
        content.subtitles?.insert(tag)
      }
    }
    if !since.isEmpty {
      content.known = try context.ending(by: interruption) {
        try BundleDigests.read(since.map { context.environment.absolute(argument: $0) }) {
          interruption.isRequested
        }
      }
    }
    return content
  }
}

extension BundleContent.Layout: ExpressibleByArgument {}
