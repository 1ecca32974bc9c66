import VmxModel

/// The name of a sidecar: `<show>~<rest>.json`.
enum SidecarName {
  private static let end = Array(".json".utf8)
  private static let seam = UInt8(ascii: "~")

  /// Returns the `StableHash` of the id in the name, without validating the id; nil for another
  /// name.
  static func hash(_ name: [UInt8]) -> UInt64? {
    guard name.suffix(end.count).elementsEqual(end) else { return nil }
    var hash = StableHash()
    for byte in name.dropLast(end.count) { hash.combine(byte == seam ? UInt8(ascii: "/") : byte) }
    return hash.value
  }

  /// Returns the id of the episode; nil if the name is not the name of a sidecar.
  static func id(_ path: PathBytes) -> EpisodeID? {
    let name = path.bytes.split(separator: UInt8(ascii: "/")).last ?? []
    guard name.suffix(end.count).elementsEqual(end) else { return nil }
    let halves = name.dropLast(end.count).split(separator: seam, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let words = halves.map { String(decoding: $0, as: UTF8.self) }
    return EpisodeID(valid: words.joined(separator: "/"))
  }
}
