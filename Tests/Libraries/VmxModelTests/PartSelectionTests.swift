import Testing
import VmxModel
import VmxTestSupport

struct PartSelectionTests {
  private func part(_ role: PartRole, _ language: String? = nil, forced: Bool = false) -> Part {
    var part = Part(role: role, language: language, variants: [])
    part.isForced = forced
    return part
  }

  @Test(arguments: [
    ["subtitle,image"], ["subtitle", "image"], ["subtitles,images"], ["image", "subtitle:pt-br"],
    ["image,subtitle:PT-BR"],
  ])
  func `roles and names are understood`(texts: [String]) throws {
    let selection = try PartSelection(texts)
    #expect(selection.contains(part(.subtitle, "pt-BR")))
    #expect(selection.contains(part(.image)))
    #expect(!selection.contains(part(.video)))
  }

  @Test func `a name selects that part only`() throws {
    let selection = try PartSelection(["subtitle:en.forced"])
    #expect(selection.contains(part(.subtitle, "en", forced: true)))
    #expect(!selection.contains(part(.subtitle, "en")))
    #expect(!selection.contains(part(.subtitle, "de", forced: true)))
  }

  @Test(arguments: [
    ("subtitle.forced", "subtitle.forced"), ("subtitles:EN.vtt", "subtitle:en.vtt"),
    ("subtitle:de.idx.sdh.forced", "subtitle:de.forced.sdh.idx"), ("subtitle.sub", "subtitle.sub"),
    ("subtitle:pt-br.VTT.sdh", "subtitle:pt-BR.sdh.vtt"), ("image", "image"),
  ])
  func `a name is read as it is written`(text: String, name: String) {
    #expect(PartName(text)?.text == name)
    #expect(PartName(name)?.text == name)
  }

  // Regression: two formats of a language, and the kinds of subtitles without one, had one name.
  @Test func `a second format of subtitles has its own name`() throws {
    var part = PartDescription(role: .subtitle, language: "en", variants: [])
    let taken = ["subtitle:en": "ass", "subtitle:en.srt": "srt"]
    #expect(part.named("VTT") { taken[$0] }?.name == "subtitle:en.vtt")
    for other in ["srt", "ass", "jpg"] { #expect(part.named(other) { taken[$0] } == nil) }
    part.isForced = true
    #expect(part.named("srt") { taken[$0] } == part)
    part.language = nil
    #expect(part.name == "subtitle.forced")
  }

  @Test(arguments: [
    "", "subtitle,", "film", "subtitle:", "subtitle:e", "subtitle:en.loud", "subtitle.",
    "subtitle.loud", "subtitle.forced:en", "video.forced",
  ])
  func `other words are refused`(text: String) {
    #expect(code { try PartSelection([text]) } == .usage)
  }
}
