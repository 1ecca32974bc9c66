import Testing
import VmxDigest
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxBundling

struct BundlePicturesTests {
  private static let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
  private static let url = "https://static.example.org/1.jpg"

  private let scratch: ScratchFolder
  private let cache: ImageCache

  init() throws {
    scratch = try ScratchFolder()
    cache = ImageCache(ofCatalogueIn: scratch.path)
  }

  private var pictures: BundlePictures { BundlePictures(cache, scratch: scratch.path) }

  private func image(_ url: String = url, sha256: Digest? = nil) -> Part {
    var variant = Variant(sources: [Source(url: url)])
    variant.sha256 = sha256
    return Part(role: .image, variants: [variant])
  }

  private func plan(
    _ parts: [Part], _ content: BundleContent = BundleContent(), _ pictures: BundlePictures
  ) throws -> BundlePlan {
    try BundlePlan([.packable("show/a", "A", parts: parts)], content, pictures: pictures)
  }

  @Test func `a cached picture is packed as the image that the library lacks`() throws {
    _ = try cache.keep(Self.bytes, of: Self.url)
    let plan = try plan([.packable(), image()], BundleContent(), pictures)
    let file = try #require(plan.files.first { $0.file.content == .picture(1) }?.file)
    #expect(file.path == "data/Show/Show - A-thumb.jpg")
    #expect(file.size.bytes == Int64(Self.bytes.count))
    #expect(file.sha256 == DigestHasher.sha256(of: Self.bytes))
    #expect(try plan.picture(file.sha256) == Self.bytes)
  }

  @Test func `a picture that leaves the cache after the plan is packed all the same`() throws {
    let file = try cache.keep(Self.bytes, of: Self.url)
    let plan = try plan([.packable(), image()], BundleContent(), pictures)
    try removeFile(file)
    let entry = try #require(plan.entries.first)
    #expect(try plan.picture(DigestHasher.sha256(of: Self.bytes)) == Self.bytes)
    let record = try plan.record(of: entry)
    #expect(record["parts"]?.array?.last?.object?["path"] == "data/Show/Show - A-thumb.jpg")
  }

  @Test func `a picture that comes after the plan is not in its records`() throws {
    let plan = try plan([.packable(), image()], BundleContent(), pictures)
    _ = try cache.keep(Self.bytes, of: Self.url)
    let record = try plan.record(of: try #require(plan.entries.first))
    #expect(record["parts"]?.array?.last?.object?["path"] == nil)
  }

  @Test func `an image of the library, one that is left out, and other bytes than published stay`()
    throws
  {
    _ = try cache.keep(Self.bytes, of: Self.url)
    let own = Part.packable(.image, path: "there/a-thumb.jpg", digest: 9)
    #expect(
      try plan([.packable(), own], BundleContent(), pictures).files
        .allSatisfy { $0.file.content != .picture(1) })
    var content = BundleContent()
    content.excluded = PartSelection(roles: [.image])
    #expect(try plan([.packable(), image()], content, pictures).names.count == 2)
    let other = image(sha256: .all(3))
    #expect(try plan([.packable(), other], BundleContent(), pictures).names.count == 2)
  }

  @Test func `a picture alone makes no episode that can be packed`() throws {
    _ = try cache.keep(Self.bytes, of: Self.url)
    let video = Part(role: .video, variants: [])
    #expect(try plan([video, image()], BundleContent(), pictures).isEmpty)
  }

  @Test func `equal pictures are copied once`() throws {
    let other = "https://static.example.org/2.jpg"
    _ = try cache.keep(Self.bytes, of: Self.url)
    _ = try cache.keep(Self.bytes, of: other)
    let pictures = pictures
    let episodes = try [Self.url, other].enumerated().map { number, url in
      try Episode.packable("show/\(number)", "N\(number)", parts: [.packable(), image(url)])
    }
    let plan = try BundlePlan(episodes, pictures: pictures)
    let digests = plan.files.filter { $0.file.content == .picture(1) }.map(\.file.sha256)
    #expect(digests.count == 2 && Set(digests).count == 1)
  }
}
