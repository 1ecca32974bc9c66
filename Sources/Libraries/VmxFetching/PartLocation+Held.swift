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
}
