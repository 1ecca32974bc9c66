import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxSettings
import VmxTestSupport

@testable import VmxPlugins

@Suite struct PluginListTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    for folder in ["bin", "libexec/vmx", "first", "path", "late"] {
      try scratch.makeFolder(folder)
    }
    try write("libexec/vmx/vmx--dispatch")
    try write("libexec/vmx/vmx-list")
    try write("libexec/vmx/vmx-queue")
  }

  private func write(_ path: String, _ text: String = "#!/bin/sh\n", mode: mode_t = 0o755) throws {
    try scratch.write(path, text)
    try #require(chmod(scratch.path(path).string, mode) == 0)
  }

  private func plugins(
    aliases: [String: String] = [:], cached: Bool = false, checking: Bool = true
  ) -> [Plugin] {
    let launcher = ToolLauncher(
      execPath: scratch.path("first").string, executable: scratch.path("bin/vmx").string,
      searchPath: "\(scratch.path("path")):\(scratch.path("late"))")
    return PluginList(
      ToolFinder(launcher: launcher),
      aliases: aliases.sorted { $0.key < $1.key }.map {
        SettingAlias(name: $0.key, text: $0.value, origin: .file("/c", line: 1))
      }, cache: cached ? scratch.path("cache") : nil
    ).described(checking: checking)
  }

  @Test func `tools of vmx are no plugins`() {
    #expect(plugins().isEmpty)
  }

  @Test func `a plugin has its description and its source`() throws {
    try write("path/vmx-a", "#!/bin/sh\n# vmx: Do it\n# vmx-version: 3\n")
    try write("first/vmx-b")
    try write("bin/vmx-c")
    let found = plugins()
    #expect(found.map(\.name) == ["a", "b", "c"])
    #expect(found.map(\.source) == [.path, .execPath, .vmx])
    #expect(found.map(\.path)[0] == scratch.path("path/vmx-a").string)
    #expect(found.map(\.summary) == ["Do it", nil, nil])
    #expect(found.map(\.version) == ["3", nil, nil])
    #expect(found.allSatisfy { $0.kind == .plugin && $0.warnings.isEmpty && $0.hiddenBy == nil })
  }

  @Test func `a file that is hidden, and one that hides a tool, are told apart`() throws {
    try write("path/vmx-list")
    #expect(plugins().map(\.warnings) == [[.shadowed]])
    #expect(plugins()[0].hiddenBy == scratch.path("libexec/vmx/vmx-list").string)
    try write("first/vmx-list")
    #expect(plugins().map(\.warnings) == [[.shadowsTool], [.shadowed]])
    #expect(plugins().map(\.isUsable) == [true, false])
  }

  @Test func `a plugin in place of an alias of vmx hides it, and 'help' is built in`() throws {
    try write("path/vmx-pause")
    try write("path/vmx-help")
    #expect(plugins().map(\.name) == ["help", "pause"])
    #expect(plugins().map(\.warnings) == [[.shadowed], [.shadowsTool]])
  }

  @Test func `a file without the permission is listed, a folder is not`() throws {
    try write("path/vmx-a", mode: 0o644)
    try scratch.makeFolder("path/vmx-b")
    #expect(plugins().map(\.warnings) == [[.notExecutable]])
    #expect(!plugins()[0].isUsable)
  }

  @Test(arguments: [
    ("#!/nowhere/sh\n", "/nowhere/sh"), ("#!/bin/sh\r\n", "/bin/sh\r"),
    ("#!/usr/bin/env no-such\n", "no-such"), ("#! /usr/bin/env -S A=1 no-such -x\n", "no-such"),
    ("#!\n", nil), ("#!/bin/sh -e\n", nil), ("#!/usr/bin/env sh\n", nil), ("echo\n", nil),
    ("\u{7F}ELF", nil), ("", nil),
  ])
  func `the interpreter of a script must exist`(text: String, missing: String?) throws {
    try write("path/vmx-a", text)
    #expect(plugins().map(\.warnings) == [missing.map { [.brokenInterpreter($0)] } ?? []])
  }

  @Test func `a file or a folder that others can write to is told`() throws {
    try write("path/vmx-a", mode: 0o757)
    try write("late/vmx-b")
    try #require(chmod(scratch.path("late").string, 0o777) == 0)
    #expect(plugins().map(\.warnings) == [[.writableByOthers], [.writableByOthers]])
    try #require(chmod(scratch.path("late").string, 0o1777) == 0)
    #expect(plugins().map(\.warnings) == [[.writableByOthers], []])
  }

  @Test func `a file that is found by two paths is one`() throws {
    try write("path/vmx-a")
    try #require(symlink(scratch.path("path/vmx-a").string, scratch.path("late/vmx-a").string) == 0)
    #expect(plugins().count == 1)
  }

  @Test func `an alias is judged by the tools that are there`() throws {
    try write("path/vmx-mine")
    let found = plugins(aliases: [
      "fine": "mine x", "shell": "!echo", "list": "mine", "mine": "list", "loop": "loop",
      "open": "'", "zork": "no-such", "pause": "list",
    ]).filter { $0.kind == .alias }
    #expect(found.filter(\.isUsable).map(\.name) == ["fine", "shell"])
    #expect(found.filter { $0.warnings == [.shadowed] }.map(\.name) == ["list", "mine", "pause"])
    #expect(found.filter { $0.warnings == [.aliasLoop] }.map(\.name) == ["loop"])
    #expect(found.map(\.path).allSatisfy { $0 == "/c" })
    #expect(found.first { $0.name == "fine" }?.summary == "mine x")
  }

  @Test func `descriptions are cached until a file changes`() throws {
    try write("path/vmx-a", "# vmx: one\n")
    let file = scratch.path("path/vmx-a").string
    #expect(plugins(cached: true).map(\.summary) == ["one"])
    // The same size and time: the text is not read again.
    var status = stat()
    try #require(stat(file, &status) == 0)
    try write("path/vmx-a", "# vmx: two\n")
    var times = [status.st_atim, status.st_mtim]
    try #require(utimensat(AT_FDCWD, file, &times, 0) == 0)
    #expect(plugins(cached: true).map(\.summary) == ["one"])
    #expect(plugins(cached: false).map(\.summary) == ["two"])
    times[1].tv_nsec = status.st_mtim.tv_nsec == 0 ? 1 : 0
    try #require(utimensat(AT_FDCWD, file, &times, 0) == 0)
    #expect(plugins(cached: true).map(\.summary) == ["two"])
    try scratch.write("path/vmx-a.json", #"{"summary":"three"}"#)
    #expect(plugins(cached: true).map(\.summary) == ["three"])
  }

  @Test(arguments: ["", "garbage", "vmx-plugins-1\0", "vmx-plugins-1\0a\0b\0", "vmx-plugins-2\0"])
  func `a damaged cache is ignored`(text: String) throws {
    try write("path/vmx-a", "# vmx: one\n")
    try scratch.makeFolder("cache")
    try scratch.write("cache/descriptions", text)
    #expect(plugins(cached: true).map(\.summary) == ["one"])
    #expect(plugins(cached: true).map(\.summary) == ["one"])
  }
}
