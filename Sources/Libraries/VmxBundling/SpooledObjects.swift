package import SystemPackage
import VmxJSON
package import VmxModel
import VmxSystem

/// A list of JSON objects that is kept until the end of a run, such as received rows. It is stored
/// as text in an unnamed temporary file, since each object takes kilobytes of memory.
package final class SpooledObjects {
  private let text: SpooledText
  private var ends: [Int] = []
  private let parser = JSONParser()

  /// Creates a list without objects.
  ///
  /// - Parameter folder: the folder of the file, which is created once the text exceeds 1 MiB.
  package init(in folder: FilePath) {
    text = SpooledText(in: folder)
  }

  /// Appends an object and returns its number, from 0.
  ///
  /// - Throws: `disk-full`, errors of the file system.
  package func append(_ object: JSONObject) throws -> Int {
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    try bytes.withUnsafeBytes { try text.append($0) }
    ends.append(text.count)
    return ends.count - 1
  }

  /// Returns the object with this number.
  ///
  /// - Throws: errors of reading.
  package func object(_ number: Int) throws -> JSONObject {
    let start = number == 0 ? 0 : ends[number - 1]
    return try parser.parse(text.bytes(start..<ends[number])).object ?? JSONObject()
  }
}
