package import SystemPackage
import VmxJSON
package import VmxModel
import VmxSystem

/// Objects that are kept until the end of a run, such as received rows: as text in a file without a
/// name, since many of them would take kilobytes of memory each.
package final class SpooledObjects {
  private let text: SpooledText
  private var ends: [Int] = []
  private let parser = JSONParser()

  /// Creates a list without objects.
  ///
  /// - Parameter folder: the folder of the file, which is made beyond the first MiB.
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

  /// Returns the object with a number.
  ///
  /// - Throws: errors of reading.
  package func object(_ number: Int) throws -> JSONObject {
    let start = number == 0 ? 0 : ends[number - 1]
    return try parser.parse(text.bytes(start..<ends[number])).object ?? JSONObject()
  }
}
