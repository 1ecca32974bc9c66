import Testing
import VmxTestSupport

/// The page about the files of a library, compared with a library that contains all of them.
struct StoreFormatTests {
  /// The commands that create every kind of file; the last fetch is interrupted.
  private static let life = [
    "sed \"s|@ORIGIN@|$ORIGIN|g\" $SOURCE/Tests/Demo/media/catalogue.jsonl | vmx add",
    "vmx add --id small-wonders/s01e09 http://user:word@${ORIGIN#http://}/s01e03.mp4?again",
    "vmx rename small-wonders/s01e01 wonders/s01e01",
    "vmx fetch --number 1",
    "vmx -c network.attempts=1 fetch --number 2 || [ $? = 69 ]",
    "vmx export --number 1 -o bundle.tar",
  ]

  @Test func `every key in a file of a library is documented`() throws {
    let built = try #require(StoryFiles.built)
    let stage = try StoryStage(tools: StoryFiles.tools ?? built, support: built)
    try stage.folder.write("plan", "/s01e02.mp4 cut:20000\n")
    try stage.startOrigin("--plan plan --root $SOURCE/Tests/Demo/media")
    for line in Self.life {
      let result = try stage.run(line)
      try #require(result.status == 0, "\(line)\n\(result.stdout)\(result.stderr)")
    }
    let files = [
      "store.jsonl", "secrets.jsonl", "library/.vmx/root.json", "library/.vmx/records/*.json",
      "library/.vmx/partial/*.part.json",
    ].map { "vmx/\($0)" }.joined(separator: " ")
    let keys = try stage.run("jq -r '.. | objects | keys[]' \(files) | sort -u")
    try #require(keys.status == 0 && keys.stderr.isEmpty, "\(keys.stderr)")
    let told = try ManualPage("vmx-store", 5).words
    // Names of parts and numbers of segments are not keys of the format.
    let isWord = { (key: Substring) in key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }
    let untold = keys.stdout.split(separator: "\n").filter { isWord($0) && Int($0) == nil }
      .filter { !told.contains(String($0)) }
    #expect(untold.isEmpty)
  }
}
