import Testing
import VmxTestSupport

/// The shell blocks of README.md. They run unchanged and in order, in one library that does not
/// exist at the start. The loopback origin replaces example.org. A comment `then: LINE` after a
/// block is a shell line that its effect must make true.
struct ReadmeTests {
  /// A code block with its language.
  private struct Block {
    let line: Int
    let language: String
    let text: String
    /// The shell lines that are true after it.
    var effects: [String] = []
  }

  private static let preparation = [
    "mkdir -p stick home/.config/vmx home/Videos && chmod +x bin/*",
    "cp -r $SOURCE/Tests/Demo/media site && cp site/s01e03.mp4 site/opening.mp4",
    "cp site/harbour.xml site/feed.xml",
    "cp site/s01e03.mp4 'home/Videos/Travels - S01E01 - Dunes.mp4'",
  ]

  @Test func `every block runs when it is pasted`() throws {
    let blocks = try Self.blocks().filter { $0.language == "sh" }
    try #require(blocks.count > 5)
    let built = try #require(StoryFiles.built)
    let stage = try StoryStage(tools: StoryFiles.tools ?? built, support: built)
    // `make` is replaced: the test uses the programs that are already built.
    for (name, text) in ExampleTests.others.merging(["make": "exit 0"], uniquingKeysWith: { $1 }) {
      try stage.folder.write("bin/\(name)", "#!/bin/sh\n\(text)\n")
    }
    try stage.set("PATH", "$HERE/bin:$PATH")
    for line in Self.preparation { try #require(try stage.run(line).status == 0, "\(line)") }
    try stage.startOrigin("--root site")
    for block in blocks {
      try stage.folder.write("block", block.text.replacing("https://example.org", with: "$ORIGIN"))
      let result = try stage.run("bash -e -o pipefail block")
      let isFine = result.status == 0 && !result.stderr.contains(/error\[|not found/)
      #expect(
        isFine,
        "README.md:\(block.line): \(result.status)\n\(block.text)\(result.stdout)\(result.stderr)")
      for effect in block.effects {
        let result = try stage.run(effect)
        #expect(result.status == 0, "README.md:\(block.line): \(effect)\n\(result.stderr)")
      }
    }
    #expect(blocks.count { $0.effects.isEmpty } <= 1)
  }

  @Test func `the first film is played within the first screen`() throws {
    let play = try #require(try Self.blocks().first { $0.text.contains("mpv ") })
    #expect(play.line + play.text.split(separator: "\n").count <= 40)
  }

  @Test func `it has at most 150 lines`() throws {
    #expect(
      try ProjectFile.text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        .count <= 151)
  }

  /// Returns the fenced blocks of the file.
  private static func blocks() throws -> [Block] {
    var blocks: [Block] = []
    var open: (line: Int, language: String, text: String)?
    let lines = try ProjectFile.text("README.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        if let (line, language, text) = open {
          blocks.append(Block(line: line, language: language, text: text))
          open = nil
        } else {
          open = (index + 2, String(line.dropFirst(3)), "")
        }
      } else if open == nil, let effect = line.wholeMatch(of: /<!-- then: (.*) -->/)?.1 {
        blocks[blocks.count - 1].effects.append(String(effect))
      } else {
        open?.text += line + "\n"
      }
    }
    return blocks
  }
}
