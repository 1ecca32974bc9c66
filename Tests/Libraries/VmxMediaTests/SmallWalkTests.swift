import Testing
import VmxMedia

/// Containers of which only the beginning and end are inspected.
struct SmallWalkTests {
  private func ogg(_ pages: Int) -> [UInt8] {
    (0..<pages).flatMap { number -> [UInt8] in
      let body = number == 0 ? Array("fishead".utf8) + payload(258) : payload(265)
      let head: [UInt8] = Array("OggS".utf8) + [0, 0] + payload(20)
      return head + [2, 255, 10] + body
    }
  }

  private func tag(_ bytes: Int) -> [UInt8] {
    let head: [UInt8] = [9] + big(bytes, bytes: 3)
    return head + big(0, bytes: 7) + payload(bytes)
  }

  private func flv(_ tags: [[UInt8]], isCounted: Bool = true) -> [UInt8] {
    let head: [UInt8] = Array("FLV".utf8) + [1, 5] + big(9) + big(0)
    return head + tags.flatMap { $0 + big(isCounted ? $0.count : 0) }
  }

  private func avi(indexed: Bool = true, movie: [UInt8] = payload(400)) -> [UInt8] {
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array(name.utf8) + little(body.count) + body
    }
    let flags = big(0) + big(0) + big(0) + little(indexed ? 0x10 : 0) + payload(40)
    let header = chunk("LIST", Array("hdrl".utf8) + chunk("avih", flags))
    let movies = chunk("LIST", Array("movi".utf8) + movie)
    let index = indexed ? chunk("idx1", payload(64)) : []
    return chunk("RIFF", Array("AVI ".utf8) + header + movies + index)
  }

  @Test func `complete files are intact`() throws {
    for file in [ogg(1), ogg(900), flv([tag(50), tag(70)]), avi(), avi(indexed: false)] {
      #expect(try verdict(on: file) == .intact)
    }
  }

  @Test func `an incomplete Ogg page is a truncation`() throws {
    #expect(try fault(in: ogg(900).dropLast(7))?.kind == .truncated(missing: 7))
    #expect(try fault(in: ogg(2).dropLast(280))?.kind == .truncated(missing: nil))
  }

  @Test func `zeros after the last Ogg page are found`() throws {
    #expect(try fault(in: ogg(3) + [UInt8](repeating: 0, count: 99))?.kind == .zeros)
  }

  @Test func `an incomplete FLV tag is a truncation`() throws {
    let file = flv([tag(50), tag(70)])
    #expect(try fault(in: file.dropLast(24))?.kind == .truncated(missing: 20))
    #expect(try verdict(on: file.dropLast(4)) == .intact)
  }

  @Test func `missing lengths after FLV tags are accepted`() throws {
    #expect(try verdict(on: flv([tag(50), tag(70)], isCounted: false)) == .intact)
  }

  @Test func `AVI frames that end too early are a truncation`() throws {
    let file = avi(indexed: false)
    #expect(try fault(in: file.dropLast(9))?.kind == .truncated(missing: 9))
  }

  @Test func `an announced AVI index must be present`() throws {
    let file = avi()
    #expect(try fault(in: file.dropLast(9))?.kind == .truncated(missing: 9))
    #expect(try fault(in: file.dropLast(72))?.kind == .truncated(missing: nil))
    #expect(try fault(in: file.dropLast(72) + [UInt8](repeating: 0, count: 72))?.kind == .zeros)
  }

  @Test func `a web page after any of them is found`() throws {
    for file in [ogg(3), flv([tag(50)]), avi()] {
      #expect(try fault(in: file + page)?.kind == .page)
    }
  }
}
