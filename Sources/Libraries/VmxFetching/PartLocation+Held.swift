import SystemPackage
import VmxJobs
import VmxModel
import VmxSystem
import VmxTransfer

extension PartLocation {
  /// Bytes of the part that its partial file holds, by its resume data.
  func heldBytes(of part: PartContext) throws(FileError) -> Int64 {
    try ResumeData.heldBytes(
      partial: files.partial, resume: files.resume, episode: part.episode.id,
      part: part.part.name, urls: part.part.urls)
  }

  /// Bytes of the disk that the partial file has, those set aside for it included.
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
