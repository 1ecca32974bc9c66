// A root contains media files with readable names (`MediaName`), and the files of vmx in `.vmx`:
//
//     .vmx/root.json                         the mark of the root
//     .vmx/root-<uuid>.json                  its temporary file, until the mark is durable
//     .vmx/partial/<16 hex>-<part>.part      bytes of a part; with .json, .aside, .made beside it
//     .vmx/partial/import-<uuid>[.<n>].part  a file that is being imported
//     .vmx/records/<show>~<rest>.json        the sidecar of an episode
//     .vmx/shows/<show>.json                 the sidecar of a show
//     .vmx/originals/<64 hex>                a received file whose converted form is published
//     .vmx/trash/<run>~<name>/               removed files, with `entry.json`
//     .vmx-<16 hex>.tmp                      in any folder: the new file of an atomic replacement

/// The names and locations of vmx's files in a root; all paths are relative to the root.
///
///     let sidecar = root.folder.appending(LibraryLayout.sidecar(of: id))
package enum LibraryLayout {
  /// The folder of vmx in each root.
  package static let hidden = ".vmx"
  /// The file that marks a folder as a root.
  package static let mark = "\(hidden)/root.json"
  /// The file in a trash entry that lists the other files.
  package static let trashList = "entry.json"

  /// A subfolder of the folder of vmx.
  package enum Folder: String, Sendable, CaseIterable {
    case partial, records, shows, originals, trash

    /// Its path.
    package var path: String { "\(hidden)/\(rawValue)" }

    /// Whether a path is below the folder.
    package func contains(_ path: PathBytes) -> Bool {
      path.isNormalised && path.bytes.starts(with: "\(self.path)/".utf8)
    }
  }

  /// The name of the NFO file of a show, in its folder.
  package static let showDescription = "tvshow.nfo"

  /// Returns the path of the show's NFO file, in the first folder of the path of an episode's
  /// video; nil for a video without a folder.
  package static func showDescription(above video: String) -> String? {
    video.firstIndex(of: "/").map { "\(video[..<$0])/\(showDescription)" }
  }

  /// Returns the path of the show's NFO file above the video of an episode. Nil if the video is not
  /// in the folder of its show, for example because the user moved it.
  package static func showDescription(
    above video: String, of id: EpisodeID, title: String
  ) -> String? {
    let folder = MediaFolder.name(ofShow: id, title: title)
    return video.utf8.starts(with: "\(folder)/".utf8) ? "\(folder)/\(showDescription)" : nil
  }

  /// The names of the pictures of a show in its folder, without extensions. vmx writes the first.
  private static let pictureStems = ["poster", "folder", "cover"]
  private static let pictureExtensions = ["jpg", "jpeg", "png"]

  /// Returns the name of the file that vmx writes for the picture of a show, in its folder.
  package static func showPicture(withExtension fileExtension: String) -> String {
    "\(pictureStems[0]).\(fileExtension)"
  }

  /// Whether a file name in the folder of a show is that of its picture, in any case.
  package static func isShowPicture(_ name: some Collection<UInt8>) -> Bool {
    // The longest name has eleven bytes.
    guard name.count <= 11 else { return false }
    let words = String(decoding: name, as: UTF8.self).lowercased().split(
      separator: ".", omittingEmptySubsequences: false)
    return words.count == 2 && pictureStems.contains(String(words[0]))
      && pictureExtensions.contains(String(words[1]))
  }

  /// Returns the name of the temporary file of the mark in the folder of vmx.
  package static func draftOfMark(_ uuid: String) -> String { "root-\(uuid).json" }

  /// Whether a file name in the folder of vmx is that of a temporary file of the mark.
  package static func isDraftOfMark(_ name: [UInt8]) -> Bool {
    guard let text = String(validating: name, as: UTF8.self), text.utf8.count == 46,
      text.hasPrefix("root-"), text.hasSuffix(".json")
    else { return false }
    return text.dropFirst(5).dropLast(5).allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  /// Returns the name of a temporary file from 16 random hexadecimal digits.
  package static func temporaryName() -> String {
    temporaryName(of: UInt64.random(in: .min ... .max))
  }

  /// Returns the name of the temporary file for a number, which can be found again after a crash.
  package static func temporaryName(of number: UInt64) -> String {
    "\(hidden)-\(Hex.text(of: number)).tmp"
  }

  /// Whether a file name is that of a temporary file, which is in use briefly or was left by a
  /// crash.
  package static func isTemporary(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    name.starts(with: "\(hidden)-".utf8) && name.suffix(4).elementsEqual(".tmp".utf8)
  }

  /// Returns the path of an original file by its digest.
  package static func original(_ sha256: Digest) -> String {
    "\(Folder.originals.path)/\(sha256.hex)"
  }

  /// Returns the path of a trash entry.
  package static func trashEntry(_ name: String) -> String { "\(Folder.trash.path)/\(name)" }

  /// Whether a name follows the scheme of a trash entry: the run, a tilde, and the removed item.
  package static func isTrashEntry(_ name: String) -> Bool {
    name.contains("~") && PathBytes(name).isNormalised && !name.contains("/")
  }
}

// Sidecars.
extension LibraryLayout {
  private static let sidecarEnd = Array(".json".utf8)
  private static let sidecarSeam = UInt8(ascii: "~")

  /// Returns the path of an episode's sidecar.
  package static func sidecar(of id: EpisodeID) -> String {
    "\(Folder.records.path)/\(id.show)~\(id.episode).json"
  }

  /// Returns the id in the name of a sidecar; nil for another name.
  package static func episode(ofSidecar path: PathBytes) -> EpisodeID? {
    let name = path.lastBytes
    guard name.suffix(sidecarEnd.count).elementsEqual(sidecarEnd) else { return nil }
    let halves = name.dropLast(sidecarEnd.count)
      .split(separator: sidecarSeam, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let words = halves.map { String(decoding: $0, as: UTF8.self) }
    return EpisodeID(valid: words.joined(separator: "/"))
  }

  /// Returns the path of a show's sidecar.
  package static func sidecar(ofShow slug: Slug) -> String { "\(Folder.shows.path)/\(slug).json" }

  /// Returns the slug in the name of a show's sidecar; nil for another name.
  package static func show(ofSidecar path: PathBytes) -> Slug? {
    let name = path.lastBytes
    guard name.suffix(sidecarEnd.count).elementsEqual(sidecarEnd) else { return nil }
    return Slug(valid: String(decoding: name.dropLast(sidecarEnd.count), as: UTF8.self))
  }

  /// Returns the `StableHash` of the id in the name of a sidecar, without validating the id; nil
  /// for another name.
  package static func hash(ofSidecar name: [UInt8]) -> UInt64? {
    guard name.suffix(sidecarEnd.count).elementsEqual(sidecarEnd) else { return nil }
    var hash = StableHash()
    for byte in name.dropLast(sidecarEnd.count) {
      hash.combine(byte == sidecarSeam ? UInt8(ascii: "/") : byte)
    }
    return hash.value
  }
}

// Unfinished parts and imports.
extension LibraryLayout {
  /// The meaning of a file name in the folder of unfinished parts.
  package enum Partial: Sendable, Equatable {
    /// The bytes of an episode's part, or their metadata, with the offset of the episode's claim.
    case part(claim: Int64)
    /// Bytes that were set aside because their digest was wrong.
    case rejected(claim: Int64)
    /// A file that is being imported, with the id that is claimed during the import.
    case importing(EpisodeID)
    /// A temporary file that a crash left.
    case draft
  }

  /// The endings of a part's files: its bytes, their resume data, rejected bytes, converted bytes.
  private static let partEnds = [".part", resumeDataEnd, ".part.aside", ".part.made"]
  private static let resumeDataEnd = ".part.json"

  /// Whether a file in the folder of unfinished parts holds resume data.
  package static func isResumeData(_ name: [UInt8]) -> Bool {
    name.suffix(resumeDataEnd.utf8.count).elementsEqual(resumeDataEnd.utf8)
  }

  /// Returns the path of a part's partial file. It contains the claim offset, so that the process
  /// which holds the claim owns the file. Two ids may share an offset.
  package static func partial(of id: EpisodeID, part: String) -> String {
    let part = String(part.map { $0 == ":" ? "-" : $0 })
    return "\(Folder.partial.path)/\(Hex.text(of: UInt64(id.claimOffset)))-\(part).part"
  }

  /// Returns the path of a copy during an import.
  ///
  /// - Parameter uuid: the UUID of the import; for further copies, followed by `.` and a number.
  package static func importing(_ uuid: String) -> String {
    "\(Folder.partial.path)/import-\(uuid).part"
  }

  /// Returns the id that is claimed during an import; nil for a name that is not a UUID.
  package static func importID(_ uuid: some StringProtocol) -> EpisodeID? {
    EpisodeID(valid: "import/\(uuid)")
  }

  /// Parses a name in the folder of unfinished parts; nil if it is not a name of vmx.
  package static func partial(named name: String) -> Partial? {
    if isTemporary(name.utf8) { return .draft }
    if name.hasPrefix("import-"), name.hasSuffix(".part"),
      let id = importID(name.dropFirst(7).dropLast(5).prefix { $0 != "." })
    {
      return .importing(id)
    }
    // `<16 hex>-<part>.part` and its other endings.
    guard partEnds.contains(where: { name.hasSuffix($0) }), name.dropFirst(16).first == "-",
      let number = UInt64(name.prefix(16), radix: 16), let claim = Int64(exactly: number)
    else { return nil }
    return name.hasSuffix(".part.aside") ? .rejected(claim: claim) : .part(claim: claim)
  }
}
