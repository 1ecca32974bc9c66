import VmxMarkup
import VmxModel

/// The resume data of an `NSURLSession` download: a property list, plain or archived.
///
/// The archived requests in it are not read, since they may hold cookies and tokens. Its byte range
/// is not read either: some versions have written stale ones.
struct SessionResumeData: Equatable {
  /// The URL.
  let url: String
  /// The number of bytes received; nil if it is not recorded.
  let received: Int64?
  /// The entity tag of the response, with its quotation marks.
  let entityTag: String?
  /// The `Last-Modified` field of the response, as sent.
  let lastModified: String?
  /// The base name of the file with the received bytes.
  let fileName: String?

  /// Decodes a property list; nil if it is not resume data.
  init?(_ list: PropertyList) {
    func text(_ name: String) -> String? {
      list["NSURLSession\(name)"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let url = text("DownloadURL") else { return nil }
    self.url = url
    received = list["NSURLSessionResumeBytesReceived"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
    entityTag = text("ResumeEntityTag")
    // Despite the name of this key, the date is the `Last-Modified` of the file.
    lastModified = text("ResumeServerDownloadDate")
    let path = text("ResumeInfoTempFileName") ?? text("ResumeInfoLocalPath")
    fileName = path.flatMap { LegacyName($0).last }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the partial file that it describes.
  ///
  /// - Parameters:
  ///   - file: the file of that name. If it is shorter than recorded, its size limits the held
  ///     range.
  ///   - total: the size of the complete file, if it is known.
  func partial(in file: LegacyFolder.File, total: ByteCount?) -> LegacyPartial {
    let held = min(received ?? file.size.bytes, file.size.bytes)
    var partial = LegacyPartial(file.path, completedRanges: ByteRangeSet([ByteRange(0..<held)]))
    partial.total = total.flatMap { $0.bytes >= held ? $0 : nil }
    partial.entityTag = entityTag
    partial.lastModified = lastModified
    return partial
  }
}
