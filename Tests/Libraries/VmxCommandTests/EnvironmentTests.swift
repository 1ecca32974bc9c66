import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxCommand

@Suite struct EnvironmentTests {
  private func home(_ variables: [String: String]) throws -> FilePath {
    var made = MadeProcess()
    made.variables = variables
    return try made.context().home()
  }

  @Test func `VMX_HOME takes precedence and is made absolute`() throws {
    #expect(try home(["VMX_HOME": "here", "HOME": "/h"]) == "/folder/here")
  }

  @Test func `a relative or empty XDG folder is ignored`() throws {
    #expect(try home(["XDG_DATA_HOME": "/data", "HOME": "/h"]) == "/data/vmx")
    #expect(try home(["XDG_DATA_HOME": "data", "HOME": "/h"]) == "/h/.local/share/vmx")
    #expect(try home(["VMX_HOME": "", "HOME": "/h"]) == "/h/.local/share/vmx")
  }

  @Test func `a program is the first executable file in an absolute folder of PATH`() throws {
    let scratch = try ScratchFolder()
    let place = scratch.path.string
    for folder in ["plain", "first", "second"] { try scratch.write("\(folder)/tool", "") }
    try scratch.makeFolder("folder/tool")
    for folder in ["first", "second"] { #expect(chmod("\(place)/\(folder)/tool", 0o700) == 0) }
    func found(_ entries: String...) -> FilePath? {
      Environment(["PATH": entries.joined(separator: ":")], workFolder: FilePath(place)).program(
        "tool")
    }
    #expect(found("\(place)/first", "\(place)/second") == scratch.path("first/tool"))
    #expect(
      found(
        "", "first", ".", "\(place)/none", "\(place)/folder", "\(place)/plain", "\(place)/second")
        == scratch.path("second/tool"))
    #expect(found("\(place)/plain") == nil)
    #expect(Environment([:]).program("tool") == nil)
  }

  @Test func `without these variables there is no home`() {
    #expect(throws: Failure.self) { try home([:]) }
  }
}
