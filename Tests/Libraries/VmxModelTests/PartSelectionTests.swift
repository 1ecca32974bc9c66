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

  @Test(arguments: ["", "subtitle,", "film", "subtitle:", "subtitle:e", "subtitle:en.loud"])
  func `other words are refused`(text: String) {
    #expect(code { try PartSelection([text]) } == .usage)
  }
}
