import Glibc
import SystemPackage
import Testing
import VmxTestSupport

@testable import VmxPlugins

@Suite struct ToolFinderTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    for folder in ["bin", "libexec/vmx", "first", "path"] { try scratch.makeFolder(folder) }
  }

  private func put(_ path: String, mode: mode_t = 0o700) throws {
    try scratch.write(path, "#!/bin/sh\n")
    #expect(chmod(scratch.path(path).string, mode) == 0)
  }

  private var launcher: ToolLauncher {
    ToolLauncher(
      execPath: scratch.path("first").string, executable: scratch.path("bin/vmx").string,
      searchPath: scratch.path("path").string)
  }

  @Test func `the folders are searched in order`() throws {
    try put("path/vmx-a")
    #expect(launcher.path(of: "a") == scratch.path("path/vmx-a").string)
    try put("bin/vmx-a")
    #expect(launcher.path(of: "a") == scratch.path("bin/vmx-a").string)
    try put("libexec/vmx/vmx-a")
    #expect(launcher.path(of: "a") == scratch.path("libexec/vmx/vmx-a").string)
    try put("first/vmx-a")
    #expect(launcher.path(of: "a") == scratch.path("first/vmx-a").string)
  }

  @Test func `a file that cannot be executed is ignored`() throws {
    try put("first/vmx-a", mode: 0o600)
    try scratch.makeFolder("libexec/vmx/vmx-a")
    try put("path/vmx-a")
    #expect(launcher.path(of: "a") == scratch.path("path/vmx-a").string)
  }

  @Test func `empty and relative entries of the path are skipped`() {
    let launcher = ToolLauncher(execPath: "rel:", executable: "/b/vmx", searchPath: ":.:rel:/p")
    #expect(launcher.folders == ["/libexec/vmx", "/b", "/p"])
  }

  @Test(arguments: ["../a", "a/b", "A", "", "-a", "1a", "a b", "a.b", "ä"])
  func `a name is never a path`(name: String) {
    #expect(launcher.path(of: name) == nil)
  }

  @Test func `the folder exported to tools is the first that has the tools of vmx`() throws {
    try put("path/vmx-a")
    #expect(launcher.ownFolder == scratch.path("first").string)
    try put("libexec/vmx/vmx--dispatch")
    #expect(launcher.ownFolder == scratch.path("libexec/vmx").string)
  }

  @Test func `the list is sorted and shows which tool hides which`() throws {
    try put("path/vmx-b")
    try put("path/vmx-a")
    try put("first/vmx-b")
    try put("path/vmx-not.a-name")
    try put("path/vmx--dispatch")
    let first = scratch.path("first/vmx-b").string
    #expect(
      ToolFinder(launcher: launcher).all() == [
        .init(name: "a", path: scratch.path("path/vmx-a").string),
        .init(name: "b", path: first),
        .init(name: "b", path: scratch.path("path/vmx-b").string, hiddenBy: first),
      ])
  }
}
