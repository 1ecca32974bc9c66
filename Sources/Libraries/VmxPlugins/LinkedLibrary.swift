import Glibc
import SystemPackage
import VmxModel
import VmxSystem

// No tool links all libraries, and none may load another one for the sake of its version. So the
// dynamic loader is asked which files it would load for each tool, and these files for their
// versions.

/// A library of another project that tools of vmx load, as the loader of this system finds it.
///
///     for library in LinkedLibrary.all(of: tools) { print(library.name, library.version ?? "") }
package struct LinkedLibrary: Equatable {
  /// The name without a suffix, such as `libcurl`.
  package let name: String
  /// The file; nil if the loader does not find it.
  package let file: String?

  /// The libraries that vmx calls, in the order in which they are shown.
  private static let called = [
    "libcurl", "libcrypto", "libarchive", "libxml2", "libcrypt", "libsimdjson",
  ]
  private static let limit = 1 << 20

  /// Returns the libraries that any of the programs loads, each once: those that vmx calls, and
  /// those that the loader does not find. A program that is no executable of vmx is not asked.
  package static func all(of programs: [String]) -> [LinkedLibrary] {
    var found = programs.flatMap { listed(in: trace(of: FilePath($0))) }
    found += loadedParser()
    var all: [LinkedLibrary] = []
    for name in called + found.map(\.name) where !all.contains(where: { $0.name == name }) {
      all += found.filter { $0.name == name }.prefix(1)
    }
    return all
  }

  /// Parses the list of the loader: lines such as `libcurl.so.4 => /lib/libcurl.so.4 (0x7f12)`.
  static func listed(in trace: String) -> [LinkedLibrary] {
    trace.split(separator: "\n").compactMap { line in
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count > 2, words[1] == "=>" else { return nil }
      let library = LinkedLibrary(
        name: name(of: String(words[0])), file: words[2] == "not" ? nil : String(words[2]))
      return library.file == nil || called.contains(library.name) ? library : nil
    }
  }

  /// Asks the loader for the list of a program; ld.so(8) describes the variable.
  private static func trace(of program: FilePath) -> String {
    do {
      let magic = try RegularFile.prefixIfPresent(of: program, upTo: 4)
      guard magic == [0x7f, 0x45, 0x4c, 0x46] else { return "" }
      let captured = try SpawnedProgram.captureOutput(
        of: ProgramCall(program, [], environment: ["LD_TRACE_LOADED_OBJECTS=1"]), limit: limit,
        until: Deadline(milliseconds: 5000))
      guard case .ended(_, let output, _) = captured else { return "" }
      return String(decoding: output, as: UTF8.self)
    } catch {
      return ""
    }
  }

  /// Returns libsimdjson, which an installed tool loads at its first use, through a library that is
  /// not there beside the tools of `swift build`.
  private static func loadedParser() -> [LinkedLibrary] {
    _ = dlopen("libvmxjson-\(Version.text).so", RTLD_LAZY)
    var maps: [UInt8] = []
    do {
      maps = try RegularFile.prefixIfPresent(of: "/proc/self/maps", upTo: limit) ?? []
    } catch {}
    let files = String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.firstIndex(of: "/").map { String(line[$0...]) }
    }
    return files.first { name(of: $0) == "libsimdjson" }
      .map { [LinkedLibrary(name: "libsimdjson", file: $0)] } ?? []
  }

  /// Returns the part of a file name before `.so`.
  private static func name(of file: String) -> String {
    let base = file.split(separator: "/").last ?? ""
    return String(base.prefix { $0 != "." })
  }
}

extension LinkedLibrary {
  /// The version, with those of its own libraries if it tells them; nil if it tells none.
  package var version: String? {
    guard let file, let handle = dlopen(file, RTLD_LAZY) else { return nil }
    let text: String? =
      switch name {
      case "libcurl": Self.answer(of: "curl_version", in: handle)
      case "libarchive": Self.answer(of: "archive_version_details", in: handle)
      case "libcrypto": Self.openSSL(in: handle)
      case "libxml2": Self.libxml(in: handle)
      default: nil
      }
    return text.map { Self.afterName($0) } ?? Self.number(of: file)
  }

  /// The abilities of vmx that depend on how this libcurl was built; empty for another library.
  package var features: [String] {
    guard name == "libcurl", let version else { return [] }
    let parts = version.split(separator: " ").map { $0.prefix { $0 != "/" } }
    return [
      ("zlib", "gzip"), ("brotli", "br"), ("zstd", "zstd"), ("nghttp2", "HTTP/2"),
      ("nghttp3", "HTTP/3"), ("libidn2", "IDN"),
    ].filter { part, _ in parts.contains { $0 == part } }.map(\.1)
  }

  /// Removes the name of the library before its version.
  static func afterName(_ text: String) -> String {
    String(text.drop { !("0"..."9").contains($0) })
  }

  /// Formats the number of a libxml2: 20914 is 2.9.14.
  static func dotted(_ number: String) -> String? {
    Int(number.prefix { ("0"..."9").contains($0) })
      .map { "\($0 / 10000).\($0 / 100 % 100).\($0 % 100)" }
  }

  /// Returns the number at the end of a file's name, after its links are resolved.
  private static func number(of file: String) -> String? {
    guard let resolved = realpath(file, nil) else { return nil }
    defer { free(resolved) }
    let words = String(cString: resolved).split(separator: "/").last?.split(separator: ".") ?? []
    let number = words.drop { $0 != "so" }.dropFirst().joined(separator: ".")
    return number.isEmpty ? nil : number
  }

  private typealias Text = UnsafePointer<CChar>

  private static func answer(of symbol: String, in handle: UnsafeMutableRawPointer) -> String? {
    typealias Function = @convention(c) () -> Text?
    return dlsym(handle, symbol).flatMap { unsafeBitCast($0, to: Function.self)() }
      .map { String(cString: $0) }
  }

  private static func openSSL(in handle: UnsafeMutableRawPointer) -> String? {
    typealias Function = @convention(c) (Int32) -> Text?
    return dlsym(handle, "OpenSSL_version").flatMap { unsafeBitCast($0, to: Function.self)(0) }
      .map { String(cString: $0) }
  }

  private static func libxml(in handle: UnsafeMutableRawPointer) -> String? {
    dlsym(handle, "xmlParserVersion").flatMap { $0.assumingMemoryBound(to: Text?.self).pointee }
      .flatMap { dotted(String(cString: $0)) }
  }
}
