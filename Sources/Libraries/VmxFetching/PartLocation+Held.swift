import SystemPackage
import VmxEngine
import VmxLibrary
import VmxModel
import VmxSystem
import VmxTransfer

extension PartLocation {
  /// The number of bytes in the part's partial file, according to its resume data.
  func heldBytes(of part: FetchContext) throws(FileError) -> Int64 {
    try ResumeData.heldBytes(
      partial: files.partial, resume: files.resume, episode: part.episode.id,
      part: part.part.name, urls: part.part.urls)
  }

  /// The number of disk bytes allocated for the partial file, preallocated ones included.
  var allocatedBytes: Int64 {
    get throws(FileError) {
      do throws(FileError) {
        return try OpenFile(files.partial, .readOnly).facts().allocated
      } catch {
        guard error.errno == .noSuchFileOrDirectory else { throw error }
        return 0
      }
    }
  }
}
