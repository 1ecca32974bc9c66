import Testing

@testable import VmxPlugins

struct LinkedLibraryTests {
  @Test func `of the list of the loader, the called and the missing libraries remain`() {
    let trace = """
      \tlinux-vdso.so.1 (0x00007f30f5e40000)
      \tlibcurl.so.4 => /lib/x86_64-linux-gnu/libcurl.so.4 (0x00007f30f5400000)
      \tlibvmxrt-1.2.3.so => not found
      \tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f30f5d83000)
      \t/lib64/ld-linux-x86-64.so.2 (0x00007f30f5e42000)

      """
    #expect(
      LinkedLibrary.listed(in: trace) == [
        LinkedLibrary(name: "libcurl", file: "/lib/x86_64-linux-gnu/libcurl.so.4"),
        LinkedLibrary(name: "libvmxrt-1", file: nil),
      ])
  }

  @Test func `a version begins with its number`() {
    #expect(LinkedLibrary.afterName("libcurl/7.88.1 OpenSSL/3.0") == "7.88.1 OpenSSL/3.0")
    #expect(LinkedLibrary.afterName("OpenSSL 3.0.17 1 Jul 2025") == "3.0.17 1 Jul 2025")
    #expect(LinkedLibrary.dotted("20914-GIT") == "2.9.14")
    #expect(LinkedLibrary.dotted("none") == nil)
  }

  @Test func `a program that is no executable file is not run`() {
    let libraries = LinkedLibrary.all(of: ["/dev/null", "/nowhere/vmx-list"])
    #expect(libraries.allSatisfy { $0.name == "libsimdjson" })
  }
}
