package import SystemPackage
package import VmxLibrary
package import VmxModel
package import VmxSystem

extension ResumeData {
  /// The number of bytes that a resumed fetch need not fetch again, estimated without reading them;
  /// 0 if the held bytes are unusable.
  ///
  /// - Parameter urls: the URLs of the part's sources.
  /// - Throws: `FileError` if a file exists and cannot be read.
  package static func completedBytes(
    partial: FilePath, resume: FilePath, episode: EpisodeID, part: String, urls: [String]
  ) throws(FileError) -> Int64 {
    guard let data = try load(resume), data.matches(part, of: episode, urls: urls) else { return 0 }
    do throws(FileError) {
      let size = try OpenFile(partial, .readOnly).facts().size
      return data.trustedRanges(fileSize: size, boot: bootID()).count
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      return 0
    }
  }

  /// Whether these are the resume data of this part, fetched from one of these URLs. Bytes from any
  /// other URL belong to another file, however similar.
  func matches(_ part: String, of episode: EpisodeID, urls: [String]) -> Bool {
    self.episode == episode && self.part == part
      && urls.contains { url in
        // Bytes of another program are recorded under the original text of the URL.
        RequestURL(url).map { StableHash.of($0.text) } == source
          || isForeign && StableHash.of(url) == source
      }
  }
}
