import SystemPackage
import Testing
import VmxModel

@testable import VmxCommand

@Suite struct EnvironmentTests {
  private func home(_ variables: [String: String]) throws -> FilePath {
    var made = MadeSurroundings()
    made.variables = variables
    return try made.context().home()
  }

  @Test func `VMX_HOME wins, and is made absolute`() throws {
    #expect(try home(["VMX_HOME": "here", "HOME": "/h"]) == "/folder/here")
  }

  @Test func `a relative or empty XDG folder does not count`() throws {
    #expect(try home(["XDG_DATA_HOME": "/data", "HOME": "/h"]) == "/data/vmx")
    #expect(try home(["XDG_DATA_HOME": "data", "HOME": "/h"]) == "/h/.local/share/vmx")
    #expect(try home(["VMX_HOME": "", "HOME": "/h"]) == "/h/.local/share/vmx")
  }

  @Test func `without any of them there is no home`() {
    #expect(throws: Failure.self) { try home([:]) }
  }
}
