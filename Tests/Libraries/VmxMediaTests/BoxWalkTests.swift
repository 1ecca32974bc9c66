import Testing
import VmxMedia

struct BoxWalkTests {
  private let film = MadeFilm()

  @Test(arguments: [MadeFilm().indexFirst, MadeFilm().indexLast])
  func `a video is intact wherever its index is`(_ film: [UInt8]) throws {
    #expect(try verdict(on: film) == .intact)
  }

  @Test func `no truncation of a video is intact`() throws {
    for film in [film.indexFirst, film.indexLast] {
      for size in 40..<film.count {
        #expect(try fault(in: Array(film[..<size])) != nil, "cut at \(size)")
      }
    }
  }

  @Test func `a truncation reports the number of missing bytes`() throws {
    let bytes = film.indexFirst
    let fault = try fault(in: bytes.dropLast(30))
    #expect(fault?.kind == .truncated(missing: 30))
    #expect(fault?.offset == Int64(bytes.count - 30))
    #expect(fault?.text == "ends 30 bytes too early, at byte \(bytes.count - 30)")
  }

  @Test func `a video without its index is incomplete`() throws {
    let bytes = MadeFilm.front + box("mdat", film.media)
    #expect(try fault(in: bytes)?.kind == .incomplete(.index))
  }

  @Test func `a chunk beyond the end is a truncation, though all boxes are complete`() throws {
    var film = film
    film.chunk = film.indexFirst.count - 150
    #expect(try fault(in: film.indexFirst)?.kind == .truncated(missing: 50))
  }

  @Test func `a box without a length extends to the end`() throws {
    let begin = MadeFilm.front.count + film.index(chunk: 0).count + 8
    let bytes = MadeFilm.front + film.index(chunk: begin) + big(0) + Array("mdat".utf8)
    #expect(try verdict(on: bytes + film.media) == .intact)
    #expect(try fault(in: bytes + film.media.dropLast(20))?.kind == .truncated(missing: 20))
  }

  @Test func `a box may have a 64-bit length`() throws {
    let begin = MadeFilm.front.count + film.index(chunk: 0).count + 16
    let head = big(1) + Array("mdat".utf8) + big(film.media.count + 16, bytes: 8)
    let bytes = MadeFilm.front + film.index(chunk: begin) + head + film.media
    #expect(try verdict(on: bytes) == .intact)
    #expect(try fault(in: bytes.dropLast(1))?.kind == .truncated(missing: 1))
  }

  @Test func `frames of zeros are found, though all boxes are complete`() throws {
    var film = film
    film.media = [UInt8](repeating: 0, count: 200)
    #expect(try fault(in: film.indexLast)?.kind == .zeros)
  }

  @Test func `uncompressed frames may be zeros`() throws {
    var film = film
    film.media = [UInt8](repeating: 0, count: 200)
    film.codec = "raw "
    #expect(try verdict(on: film.indexLast) == .intact)
  }

  @Test func `an index that ends with zeros is found`() throws {
    let bytes = film.indexLast
    for zeros in [4, 20, 60, 100, 160, 200] {
      let tail = bytes.dropLast(zeros) + [UInt8](repeating: 0, count: zeros)
      #expect(try fault(in: Array(tail))?.kind == .zeros, "\(zeros) zeros")
    }
  }

  @Test(arguments: [
    [0, 0, 0, 0], Array("TAG".utf8) + payload(125),
    Array("ID3".utf8) + payload(500), payload(300) + Array("APETAGEX".utf8) + payload(24),
  ])
  func `padding and tags after a complete video are accepted`(_ rest: [UInt8]) throws {
    #expect(try verdict(on: film.indexLast + rest) == .intact)
  }

  // Zeros that were allocated and never written were padding, wherever they ended.
  @Test(arguments: [512, 2048, 4096]) func `zeros up to the end of a block are padding`(
    block: Int
  ) throws {
    let bytes = film.indexLast
    let count = block - bytes.count % block
    #expect(try verdict(on: bytes + [UInt8](repeating: 0, count: count)) == .intact)
    let fault = try fault(in: bytes + [UInt8](repeating: 0, count: count + 5))
    #expect(fault?.kind == .trailing && fault?.offset == Int64(bytes.count))
  }

  // Regression: a download that was continued by a program that ignores the status 200 was ready.
  @Test func `a film that is joined with another one is damaged where that begins`() throws {
    let bytes = film.indexFirst
    for other in [bytes, film.indexLast, Array(bytes.prefix(60))] {
      let fault = try fault(in: bytes + other)
      #expect(fault?.kind == .joined)
      #expect(fault?.offset == Int64(bytes.count))
      #expect(fault?.text == "is joined with another film at byte \(bytes.count)")
    }
  }

  @Test func `samples that continue with another film are damaged`() throws {
    let bytes = film.indexLast
    #expect(try fault(in: bytes.prefix(150) + bytes)?.kind != nil)
  }

  @Test func `other bytes after a complete video are trailing bytes`() throws {
    let bytes = film.indexLast
    let rests = [payload(3000), payload(9), [UInt8](repeating: 0, count: 5000)]
    for rest in rests {
      let fault = try fault(in: bytes + rest)
      #expect(fault?.kind == .trailing)
      #expect(fault?.offset == Int64(bytes.count))
      #expect(fault?.isIncomplete == false)
    }
  }

  @Test func `a text after a complete video may end when its source is well`() throws {
    let fault = try fault(in: film.indexLast + Array("Fatal error: out of memory\n".utf8))
    #expect(fault?.kind == .message)
    #expect(fault?.isIncomplete == true)
  }

  @Test func `a head without any box after it shows nothing`() throws {
    #expect(try verdict(on: MadeFilm.front + payload(3000)) == .unknown)
    #expect(try fault(in: MadeFilm.front + page)?.kind == .page)
    #expect(try fault(in: MadeFilm.front + [UInt8](repeating: 0, count: 900))?.kind == .zeros)
  }

  @Test func `a web page after a complete video is refused`() throws {
    let bytes = film.indexLast
    #expect(try fault(in: bytes + page) == fault(in: bytes + page + payload(2000)))
    #expect(try fault(in: bytes + page)?.kind == .page)
    #expect(try fault(in: bytes + page)?.offset == Int64(bytes.count))
  }
}

/// Fragmented MP4 files, each fragment with its own index.
struct FragmentTests {
  private let head =
    MadeFilm.front + box("moov", box("mvex", box("trex", payload(24))))
  private let fragment = box("moof", payload(60)) + box("mdat", payload(300))

  @Test func `fragments are checked to the last one`() throws {
    let film = head + fragment + fragment
    #expect(try verdict(on: film) == .intact)
    #expect(try fault(in: film.dropLast(299))?.kind == .truncated(missing: 299))
    #expect(try fault(in: film.dropLast(303))?.kind == .truncated(missing: nil))
  }

  @Test func `zeros after a fragment are missing fragments`() throws {
    let film = head + fragment
    let fault = try fault(in: film + [UInt8](repeating: 0, count: 360))
    #expect(fault?.kind == .zeros)
    #expect(fault?.offset == Int64(film.count))
  }

  @Test func `a header that only announces fragments is incomplete`() throws {
    #expect(try fault(in: head)?.kind == .incomplete(.media))
  }

  @Test func `an index of segments reports the missing ones`() throws {
    let entries = [fragment, fragment].flatMap { big($0.count) + big(1) + big(0) }
    let index = box("sidx", big(0), big(1), big(1), big(0), big(0), big(2), entries)
    #expect(try verdict(on: head + index + fragment + fragment) == .intact)
    let kind = try fault(in: head + index + fragment)?.kind
    #expect(kind == .truncated(missing: Int64(fragment.count)))
  }
}
