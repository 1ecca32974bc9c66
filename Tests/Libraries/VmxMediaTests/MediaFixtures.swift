import SystemPackage
import VmxMedia
import VmxSystem

/// Returns the verdict on a file with these bytes.
func verdict(on bytes: some Sequence<UInt8>) throws -> MediaStructure {
  let bytes = Array(bytes)
  let file = try MemoryFile("media", holding: bytes)
  return try MediaStructure.examine(file.descriptor, named: "media", size: Int64(bytes.count))
}

/// Returns the structural fault of a file with these bytes; nil if it is intact or unknown.
func fault(in bytes: some Sequence<UInt8>) throws -> StructureFault? {
  guard case .broken(let fault) = try verdict(on: bytes) else { return nil }
  return fault
}

/// Returns the bytes of a number, most significant byte first.
func big(_ number: Int, bytes count: Int = 4) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}

/// Returns the four bytes of a number, least significant byte first.
func little(_ number: Int) -> [UInt8] { big(number).reversed() }

/// Returns bytes in place of compressed media.
func payload(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251 + 1) } }

let page = Array("<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>".utf8)

/// Returns a box of an MP4 file.
func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
  let body = content.flatMap { $0 }
  return big(body.count + 8) + Array(type.utf8) + body
}

/// An MP4 file with one H.264 track, in one chunk of two samples of 100 bytes.
struct MadeFilm {
  static let front = box("ftyp", Array("isom".utf8), big(512), Array("isomavc1".utf8))
  var media = payload(200)
  var chunk: Int?
  var codec = "avc1"

  /// Returns the index for a chunk at this offset in the file.
  func index(chunk: Int) -> [UInt8] {
    let entry = box(codec, [UInt8](repeating: 0, count: 78))
    let table = box(
      "stbl", box("stsd", big(0), big(1), entry),
      box("stsc", big(0), big(1), big(1), big(2), big(1)),
      box("stsz", big(0), big(0), big(2), big(100), big(100)),
      box("stco", big(0), big(1), big(chunk)))
    let handler = box("hdlr", big(0), big(0), Array("vide".utf8), big(0), big(0), big(0), [0])
    return box("moov", box("trak", box("mdia", handler, box("minf", table))))
  }

  var indexFirst: [UInt8] {
    let begin = Self.front.count + index(chunk: 0).count + 8
    return Self.front + index(chunk: chunk ?? begin) + box("mdat", media)
  }

  var indexLast: [UInt8] {
    Self.front + box("mdat", media) + index(chunk: chunk ?? Self.front.count + 8)
  }
}

/// Returns an element of a Matroska file; without a length if `isOpen`.
func element(_ id: Int, _ content: [UInt8]..., isOpen: Bool = false) -> [UInt8] {
  let body = content.flatMap { $0 }
  let letters = big(id).drop { $0 == 0 }
  return letters + (isOpen ? [0x01] + [UInt8](repeating: 0xFF, count: 7) : [0x08] + big(body.count))
    + body
}

/// A Matroska file of two clusters.
struct MadeStream {
  var isOpen = false
  var clusters = [payload(500), payload(300)]

  var bytes: [UInt8] {
    let parts = clusters.map { block in
      element(0x1F43_B675, element(0xE7, [1]), element(0xA3, block), isOpen: isOpen)
    }
    let tracks = element(0x1654_AE6B, payload(40))
    return element(0x1A45_DFA3, payload(20))
      + element(0x1853_8067, tracks, parts.flatMap { $0 }, isOpen: isOpen)
  }
}
