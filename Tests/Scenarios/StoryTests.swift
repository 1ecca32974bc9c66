import Glibc
import SystemPackage
import Testing
import VmxTestSupport

/// The files under Stories. `VMX_TEST_STORIES=rm,undo` runs only those whose names begin with these
/// words.
enum StoryFiles {
  /// The folder with the stories, beside this file.
  static let folder = FilePath(#filePath).removingLastComponent().appending("Stories")

  /// The names without `.txt`, sorted.
  static var names: [String] {
    guard let stream = opendir(folder.string) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".txt") { names.append(String(name.dropLast(4))) }
    }
    let wanted = getenv("VMX_TEST_STORIES").map { String(cString: $0).split(separator: ",") }
    return names.filter { name in wanted?.contains { name.hasPrefix($0) } ?? true }.sorted()
  }

  /// The folder of the built programs, which is that of the test bundle.
  static var built: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return FilePath(platformString: path).removingLastComponent().string
  }

  /// The folders with the commands to test: VMX_TEST_TOOLS, as in PATH, otherwise the build folder.
  static var tools: String? {
    getenv("VMX_TEST_TOOLS").map { String(cString: $0) } ?? built
  }
}

@Test(arguments: StoryFiles.names)
func `every story comes true`(name: String) async throws {
  let path = StoryFiles.folder.appending("\(name).txt")
  let support = try #require(StoryFiles.built)
  let tools = try #require(StoryFiles.tools)
  let told = try await StoryScheduler.house.play {
    Result {
      let story = try Story(try String(contentsOf: path))
      var runner = StoryRunner(on: try StoryStage(tools: tools, support: support))
      return try runner.play(story)
    }
  }
  do {
    if case .skipped(let need) = try told.get() {
      try SkippedStories.append("\(name): \(need)")
      try Test.cancel("\(name) needs: \(need)")
    }
  } catch let problem as StoryProblem {
    Issue.record(
      "\(name).txt:\(problem.line): \(problem.text)",
      sourceLocation: SourceLocation(
        fileID: "Scenarios/\(name).txt", filePath: path.string, line: problem.line, column: 1))
  }
}

/// The list of skipped stories, in the file that VMX_TEST_SKIPPED names: the test run prints
/// nothing about a cancelled case.
enum SkippedStories {
  /// Appends one line; without the variable it does nothing.
  static func append(_ line: String) throws {
    guard let path = getenv("VMX_TEST_SKIPPED") else { return }
    let descriptor = try FileDescriptor.open(
      FilePath(platformString: path), .writeOnly, options: [.append, .create, .closeOnExec],
      permissions: [.ownerReadWrite])
    _ = try descriptor.closeAfter { try descriptor.writeAll("\(line)\n".utf8) }
  }
}

extension String {
  fileprivate init(contentsOf path: FilePath) throws {
    let descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    self = try descriptor.closeAfter {
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = try piece.withUnsafeMutableBytes { try descriptor.read(into: $0) }
        if count == 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += piece[..<count]
      }
    }
  }
}
