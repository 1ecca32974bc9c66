import SystemPackage
import Testing
import VmxModel

@testable import VmxSystem

@Suite struct FileErrorTests {
  @Test(arguments: [
    (FileCall.write, Errno.noSpace, ErrorCode.diskFull),
    (.write, .diskQuotaExceeded, .diskFull),
    (.write, .fileTooLarge, .fileTooLarge),
    (.open, .tooManyOpenFiles, .resourcesShort),
    (.rename, .fileExists, .nameTaken),
    (.makeFolder, .fileExists, .mediaUnwritable),
    (.sync, .ioError, .mediaUnwritable),
  ])
  func `the operation and its errno determine the code`(
    call: FileCall, errno: Errno, code: ErrorCode
  ) {
    let error = FileError.failed(call, "a", errno)
    #expect(error.code == code)
    #expect(error.errno == errno)
  }

  @Test func `a file given by the user is an input`() {
    let error = FileError.failed(.open, "a", .permissionDenied).ofInput
    #expect(error == .unreadable(.open, "a", .permissionDenied))
    #expect(error.code == .inputMissing)
  }

  @Test func `messages contain the call, the file and the reason`() {
    let error = FileError.failed(.makeFolder, "/a/b", .permissionDenied)
    #expect(error.summary == "cannot create the folder '/a/b': permission denied")
  }

  @Test func `calls of swift-system are named`() {
    let path: FilePath = "/nonexistent/file"
    #expect(throws: FileError.failed(.open, path, .noSuchFileOrDirectory)) {
      try FileCall.open.on(path) { _ = try FileDescriptor.open(path, .readOnly) }
    }
  }
}
