import Testing
import VmxEngine
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxTestSupport

/// The variant of a video that a run fetches, and how long a choice remains valid.
struct QualityChoiceTests {
  private let library: ScratchLibrary
  private let id: EpisodeID

  init() throws {
    library = try ScratchLibrary()
    var description = EpisodeDescription()
    var files: [VariantDescription] = []
    for (height, size) in [(480, 500), (1080, 2000), (720, 1000)] as [(Int64, Int64)] {
      var file = VariantDescription(
        sources: [try WebURL("https://example.org/\(height).mp4")], size: ByteCount(size))
      file.height = height
      files.append(file)
    }
    try description.add(PartDescription(role: .video, variants: files))
    id = try library.take(description).episode.id
  }

  private func work(
    _ quality: Quality, anew: Bool = false, asked: Bool = false, _ bytes: FakeBytes = FakeBytes()
  ) -> EpisodeResult {
    let options = WorkOptions(quality: quality, rechoosesVariant: anew)
    return library.worker(
      bytes,
      options: options
    ).work(on: id, asked: asked)
  }

  private func height() throws -> Int64? {
    let episode = try #require(try library.again().snapshot().episode(id))
    return episode.parts[0].variant?.height
  }

  @Test(
    arguments: [
      (.first, 480), (.best, 1080), (.lines(720), 720), (.limit(ByteCount(clamping: 999)), 480),
    ] as [(Quality, Int64)])
  func `the choice is recorded`(quality: Quality, height: Int64) throws {
    #expect(work(quality).result.name == "done")
    #expect(try self.height() == height)
  }

  @Test func `the choice of an earlier run overrides a setting`() throws {
    #expect(work(.best, FakeBytes(failureOfTransfer: .netReset)).result.name == "failed")
    #expect(work(.smallest).result.name == "done")
    #expect(try height() == 1080)
  }

  @Test func `a new request overrides the choice of an earlier run`() throws {
    #expect(work(.best, FakeBytes(refusal: .diskFull)).result.name == "waiting")
    #expect(work(.smallest, anew: true).result.name == "done")
    #expect(try height() == 480)
  }

  @Test func `held bytes of the first variant are continued despite a new setting`() throws {
    #expect(work(.best, FakeBytes(holding: .some(7))).result.name == "done")
    #expect(try height() == 480)
  }

  @Test func `a ready episode is unchanged and reports it`() throws {
    #expect(work(.best).result.name == "done")
    #expect(work(.best, anew: true, asked: true).result == .unchanged())
    let outcome = work(.smallest, anew: true, asked: true)
    #expect(outcome.result.name == "unchanged")
    #expect(outcome.result.hint?.contains("another quality") == true)
    #expect(try height() == 1080)
  }

  @Test func `if no variant fits the episode fails until another is requested`() throws {
    let outcome = work(.limit(ByteCount(clamping: 100)))
    #expect(outcome.result.name == "failed")
    #expect(outcome.result.failure?.code == .noSuchQuality)
    #expect(work(.best).result.name == "failed")
    #expect(work(.lines(720), anew: true, asked: true).result.name == "done")
    #expect(try height() == 720)
  }

  @Test func `nothing is assumed about the bytes of another variant`() throws {
    struct Recording: PartSource, FakeFinishing {
      let seen: @Sendable (Part) -> Void
      func completedBytes(of part: FetchContext) throws -> CompletedBytes {
        part.part.sha256 == nil ? .some(0) : .all
      }
      func admit(_ part: FetchContext) throws { seen(part.part) }
      func transfer(_ part: FetchContext) throws -> FoundBytes { FakeBytes.found }
    }
    // All bytes of the first variant are held, but their check was postponed.
    #expect(work(.first, FakeBytes(failureOfCheck: .mediaUnwritable)).result.name == "failed")
    let options = WorkOptions(quality: .best, rechoosesVariant: true)
    let bytes = Recording { part in
      #expect(part.sha256 == nil && part.size == nil && part.variant?.height == 1080)
    }
    let outcome = library.worker(
      bytes,
      options: options
    ).work(on: id, asked: true)
    #expect(outcome.result.name == "done")
    #expect(try height() == 1080)
  }
}
