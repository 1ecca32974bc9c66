// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]
let parser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

func library(
  _ name: String, _ dependencies: Target.Dependency..., tests: [Target.Dependency] = []
) -> [Target] {
  [
    .target(
      name: name, dependencies: dependencies, path: "Sources/Libraries/\(name)",
      swiftSettings: strict),
    .testTarget(
      name: "\(name)Tests",
      dependencies: [.target(name: name), "VmxTestSupport"] + dependencies + tests,
      path: "Tests/Libraries/\(name)Tests", swiftSettings: strict),
  ]
}

func command(_ name: String, _ dependencies: Target.Dependency...) -> [Target] {
  [
    .executableTarget(
      name: name, dependencies: dependencies, path: "Sources/Commands/\(name)",
      swiftSettings: strict)
  ]
}

let modules: [Target] = [
  .systemLibrary(
    name: "CArchive", path: "Sources/CModules/CArchive", pkgConfig: "libarchive",
    providers: [.apt(["libarchive-dev"])]),
  .systemLibrary(
    name: "CCrypt", path: "Sources/CModules/CCrypt", pkgConfig: "libcrypt",
    providers: [.apt(["libcrypt-dev"])]),
  .systemLibrary(
    name: "CCurl", path: "Sources/CModules/CCurl", pkgConfig: "libcurl",
    providers: [.apt(["libcurl4-openssl-dev"])]),
  .systemLibrary(
    name: "CCrypto", path: "Sources/CModules/CCrypto", pkgConfig: "libcrypto",
    providers: [.apt(["libssl-dev"])]),
  .systemLibrary(
    name: "CXml", path: "Sources/CModules/CXml", pkgConfig: "libxml-2.0",
    providers: [.apt(["libxml2-dev"])]),
  .target(
    name: "CLinux", path: "Sources/CModules/CLinux", cSettings: [.treatAllWarnings(as: .error)]),
  .target(
    name: "CSHA256", path: "Sources/CModules/CSHA256", cSettings: [.treatAllWarnings(as: .error)]),
  .target(
    name: "CSimdjson", path: "Sources/CModules/CSimdjson",
    cxxSettings: [.treatAllWarnings(as: .error)], linkerSettings: [.linkedLibrary("simdjson")]),
]

let libraries: [[Target]] = [
  library("VmxModel"),
  library("VmxNaming", "VmxModel"),
  library("VmxSettings", "VmxModel", "VmxNaming"),
  library("VmxSystem", "VmxModel", "CLinux", system),
  library("VmxJSON", "VmxModel", "CSimdjson", tests: ["VmxNaming"]),
  library("VmxDigest", "VmxModel", "VmxSystem", "CCrypto", "CSHA256", system),
  library("VmxArchive", "VmxModel", "VmxSystem", "VmxDigest", "CArchive", system),
  library(
    "VmxMarkup", "VmxModel", "VmxNaming", "VmxSystem", "CXml"),
  library(
    "VmxCatalogue", "VmxModel", "VmxNaming", "VmxSettings", "VmxSystem", "VmxJSON", "VmxMarkup",
    "VmxStore", "VmxLibrary", system),
  library("VmxMedia", "VmxModel", "VmxNaming", "VmxSystem", system),
  library("VmxStore", "VmxModel", "VmxSystem", "VmxJSON", system),
  library(
    "VmxTransfer", "VmxModel", "VmxSettings", "VmxSystem", "VmxJSON", "VmxDigest", "VmxMedia",
    "VmxLibrary", "CCurl", system,
    tests: ["loopback-origin"]),
  library(
    "VmxLibrary", "VmxModel", "VmxNaming", "VmxSystem", "VmxJSON", "VmxMedia", "VmxStore",
    "VmxMarkup", "VmxDigest", "VmxEngine", system,
    tests: ["VmxLibraryTestSupport"]),
  library(
    "VmxEngine", "VmxModel", "VmxSystem", "VmxStore", system,
    tests: ["VmxLibrary", "VmxLibraryTestSupport"]),
  library(
    "VmxLicence", "VmxModel", "VmxSettings", "VmxSystem", "VmxJSON", "VmxStore", "VmxLibrary",
    "VmxEngine", system,
    tests: ["VmxDigest", "VmxLibraryTestSupport"]),
  library(
    "VmxFetching", "VmxModel", "VmxSettings", "VmxSystem", "VmxJSON", "VmxDigest", "VmxStore",
    "VmxLibrary", "VmxEngine", "VmxTransfer", "VmxMarkup", "VmxCatalogue", "VmxLicence", system,
    tests: ["loopback-origin"]),
  library(
    "VmxQueueing", "VmxModel", "VmxSystem", "VmxStore", "VmxLibrary", "VmxEngine", system,
    tests: ["VmxRemoving", "VmxLibraryTestSupport"]),
  library(
    "VmxVerifying", "VmxModel", "VmxSystem", "VmxJSON", "VmxDigest", "VmxStore", "VmxLibrary",
    "VmxMedia", system, tests: ["VmxNaming", "VmxLibraryTestSupport"]),
  library(
    "VmxRemoving", "VmxModel", "VmxNaming", "VmxSystem", "VmxJSON", "VmxDigest", "VmxMarkup",
    "VmxMedia", "VmxStore", "VmxLibrary", "VmxEngine", system,
    tests: ["VmxQueueing", "VmxLibraryTestSupport"]),
  library(
    "VmxBundling", "VmxModel", "VmxNaming", "VmxSystem", "VmxJSON", "VmxDigest", "VmxMarkup",
    "VmxStore", "VmxLibrary", "VmxEngine", "VmxArchive", system),
  library(
    "VmxMigrating", "VmxModel", "VmxNaming", "VmxSystem", "VmxJSON", "VmxDigest", "VmxMarkup",
    "VmxMedia", "VmxLibrary", "VmxStore", "VmxEngine", system),
  library(
    "VmxSyncing", "VmxModel", "VmxNaming", "VmxSettings", "VmxSystem", "VmxJSON", "VmxStore",
    "VmxLibrary", "VmxCatalogue", "VmxQueueing", "VmxRemoving",
    tests: ["VmxLibraryTestSupport", system]),
  library(
    "VmxPlaying", "VmxModel", "VmxSettings", "VmxSystem", "VmxJSON", "VmxMarkup", "VmxStore",
    "VmxLibrary", "VmxQueueing", system),
  library(
    "VmxDesktop", "VmxModel", "VmxSettings", "VmxSystem", "CCrypt", "VmxStore", system),
  library("VmxPresentation", "VmxModel"),
  // The only library with a public face, for other packages.
  library(
    "VmxKit", "VmxModel", "VmxSystem", "VmxStore", "VmxLibrary", system,
    tests: ["VmxLibraryTestSupport", "kit-example"]),
  library("VmxConfiguration", "VmxModel", "VmxSettings", "VmxSystem", system),
  library(
    "VmxPlugins", "VmxModel", "VmxSettings", "VmxSystem", "VmxJSON", "CLinux", system),
  library(
    "VmxCommand", "VmxModel", "VmxSettings", "VmxConfiguration", "VmxSystem", "VmxJSON", "VmxStore",
    "VmxPresentation", parser, system,
    tests: ["VmxCommandTestSupport"]),
]

let commands: [[Target]] = [
  // Embedded Swift wants one compilation of the whole module, also for debugging.
  [
    .plugin(
      name: "DispatcherSources", capability: .buildTool(),
      path: "Sources/Packaging/DispatcherSources"),
    .executableTarget(
      name: "vmx", dependencies: ["CLinux"], path: "Sources/Commands/vmx",
      swiftSettings: strict + [.enableExperimentalFeature("Embedded"), .unsafeFlags(["-wmo"])],
      plugins: ["DispatcherSources"]),
  ],
  command(
    "vmx--dispatch", "VmxModel", "VmxSettings", "VmxConfiguration", "VmxSystem", "VmxPlugins",
    "VmxPresentation", system),
  command(
    "vmx-plugin", "VmxModel", "VmxSettings", "VmxSystem", "VmxPlugins", "VmxPresentation",
    "VmxCommand", parser, system),
  command(
    "vmx-add", "VmxModel", "VmxNaming", "VmxSettings", "VmxSystem", "VmxDigest", "VmxMarkup",
    "VmxStore", "VmxLibrary", "VmxEngine", "VmxLicence", "VmxPresentation", "VmxCommand", parser,
    system),
  command(
    "vmx-licence", "VmxModel", "VmxSettings", "VmxSystem", "VmxStore", "VmxLibrary", "VmxLicence",
    "VmxFetching", "VmxRemoving", "VmxPresentation", "VmxCommand", parser),
  command(
    "vmx-fetch", "VmxModel", "VmxSettings", "VmxLicence", "VmxSystem", "VmxStore", "VmxLibrary",
    "VmxCatalogue", "VmxEngine", "VmxQueueing", "VmxRemoving", "VmxFetching", "VmxSyncing",
    "VmxDesktop", "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-feed", "VmxModel", "VmxSettings", "VmxEngine", "VmxSystem", "VmxMarkup", "VmxStore",
    "VmxLibrary", "VmxRemoving", "VmxCatalogue", "VmxFetching", "VmxMigrating", "VmxPresentation",
    "VmxCommand", parser, system),
  command(
    "vmx-sync", "VmxModel", "VmxSettings", "VmxSystem", "VmxStore", "VmxLibrary", "VmxFetching",
    "VmxCatalogue", "VmxSyncing", "VmxTransfer", "VmxPresentation", "VmxCommand", parser),
  command(
    "vmx-queue", "VmxModel", "VmxSettings", "VmxSystem", "VmxStore", "VmxLibrary", "VmxQueueing",
    "VmxDesktop", "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-list", "VmxModel", "VmxSystem", "VmxPresentation", "VmxCommand", parser),
  command(
    "vmx-status", "VmxModel", "VmxSettings", "VmxSystem", "VmxLibrary", "VmxPresentation",
    "VmxCommand", parser),
  command("vmx-show", "VmxModel", "VmxPresentation", "VmxCommand", parser),
  command(
    "vmx-path", "VmxModel", "VmxLibrary", "VmxMarkup", "VmxPresentation", "VmxCommand", parser,
    system),
  command(
    "vmx-play", "VmxModel", "VmxSettings", "VmxSystem", "VmxStore", "VmxLibrary", "VmxLicence",
    "VmxFetching", "VmxPlaying", "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-mark", "VmxModel", "VmxSettings", "VmxSystem", "VmxStore", "VmxLibrary", "VmxFetching",
    "VmxQueueing", "VmxPlaying", "VmxDesktop", "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-report", "VmxModel", "VmxSettings", "VmxSystem", "VmxDigest", "VmxStore", "VmxLibrary",
    "VmxLicence", "VmxFetching", "VmxQueueing", "VmxRemoving", "VmxSyncing", "VmxPresentation",
    "VmxCommand", parser),
  command(
    "vmx-rename", "VmxModel", "VmxSettings", "VmxStore", "VmxLibrary", "VmxQueueing", "VmxRemoving",
    "VmxPresentation", "VmxCommand", parser),
  command(
    "vmx-export", "VmxModel", "VmxSettings", "VmxSystem", "VmxStore", "VmxLibrary",
    "VmxArchive", "VmxBundling", "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-import", "VmxModel", "VmxSettings", "VmxSystem", "VmxStore", "VmxLibrary", "VmxArchive",
    "VmxBundling", "VmxRemoving", "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-migrate", "VmxModel", "VmxNaming", "VmxSettings", "VmxSystem", "VmxDigest", "VmxStore",
    "VmxLibrary", "VmxCatalogue", "VmxMigrating", "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-whereis", "VmxModel", "VmxSystem", system, "VmxStore", "VmxLibrary", "VmxPresentation",
    "VmxCommand", parser),
  command(
    "vmx-rm", "VmxModel", "VmxSystem", "VmxStore", "VmxLibrary", "VmxRemoving", "VmxPresentation",
    "VmxCommand", parser),
  command(
    "vmx-undo", "VmxModel", "VmxSettings", "VmxSystem", "VmxStore", "VmxLibrary", "VmxRemoving",
    "VmxPresentation", "VmxCommand", parser),
  command(
    "vmx-search", "VmxModel", "VmxSystem", "VmxStore", "VmxCatalogue", "VmxFetching",
    "VmxPresentation", "VmxCommand", parser),
  command(
    "vmx-shows", "VmxModel", "VmxSystem", "VmxStore", "VmxCatalogue", "VmxFetching",
    "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-episodes", "VmxModel", "VmxNaming", "VmxSystem", "VmxStore", "VmxCatalogue", "VmxFetching",
    "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-people", "VmxModel", "VmxSystem", "VmxStore", "VmxCatalogue", "VmxFetching",
    "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-favourite", "VmxModel", "VmxSystem", "VmxStore", "VmxCatalogue", "VmxFetching",
    "VmxPresentation", "VmxCommand", parser),
  command(
    "vmx-config", "VmxModel", "VmxSettings", "VmxConfiguration", "VmxSystem", "VmxPresentation",
    "VmxCommand", parser,
    system),
  command("vmx-explain", "VmxModel", "VmxPresentation", "VmxCommand", parser),
  command(
    "vmx-lock", "VmxModel", "VmxSettings", "VmxSystem", "VmxStore", "VmxLibrary", "VmxQueueing",
    "VmxDesktop", "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-doctor", "VmxModel", "VmxSettings", "VmxSystem", "VmxStore", "VmxLibrary", "VmxRemoving",
    "VmxPresentation", "VmxCommand", parser),
  command(
    "vmx-verify", "VmxModel", "VmxSettings", "VmxSystem", "VmxStore", "VmxLibrary", "VmxRemoving",
    "VmxVerifying", "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-clean", "VmxModel", "VmxSettings", "VmxSystem", "VmxStore", "VmxLibrary", "VmxRemoving",
    "VmxDesktop", "VmxPresentation", "VmxCommand", parser, system),
  command(
    "vmx-tutorial", "VmxModel", "VmxSystem", "VmxPlugins", "VmxStore", "VmxPresentation",
    "VmxCommand", parser, system),
  command(
    "vmx-states", "VmxModel", "VmxEngine", "VmxLicence", "VmxPresentation", "VmxCommand", parser),
]

let support: [Target] = [
  .systemLibrary(
    name: "COpenSSL", path: "Tests/Support/COpenSSL", pkgConfig: "openssl",
    providers: [.apt(["libssl-dev"])]),
  .target(
    name: "VmxTestSupport", dependencies: ["VmxModel", "VmxSystem", "VmxJSON", system],
    path: "Tests/Support/VmxTestSupport", swiftSettings: strict),
  .target(
    name: "VmxLibraryTestSupport",
    dependencies: [
      "VmxModel", "VmxSystem", "VmxStore", "VmxLibrary", "VmxEngine", "VmxRemoving",
      "VmxTestSupport", system,
    ],
    path: "Tests/Support/VmxLibraryTestSupport", swiftSettings: strict),
  .target(
    name: "VmxCommandTestSupport", dependencies: ["VmxModel", "VmxCommand"],
    path: "Tests/Support/VmxCommandTestSupport", swiftSettings: strict),
  .executableTarget(
    name: "loopback-origin", dependencies: ["VmxModel", "VmxDigest", "COpenSSL"],
    path: "Tests/Support/loopback-origin",
    swiftSettings: strict),
  .executableTarget(
    name: "kit-example", dependencies: ["VmxKit"], path: "Tests/Support/kit-example",
    swiftSettings: strict),
  .target(
    name: "BackendWire", path: "Tests/Support/BackendWire", swiftSettings: strict),
  .executableTarget(
    name: "licence-backend", dependencies: ["BackendWire", "VmxModel"],
    path: "Tests/Support/licence-backend",
    swiftSettings: strict),
  .executableTarget(
    name: "sync-backend", dependencies: ["BackendWire", "VmxModel", "VmxJSON"],
    path: "Tests/Support/sync-backend", swiftSettings: strict),
  .executableTarget(
    name: "kodi-backend", dependencies: ["BackendWire", "VmxModel", "VmxJSON"],
    path: "Tests/Support/kodi-backend", swiftSettings: strict),
  .testTarget(
    name: "LoopbackOriginTests", dependencies: ["VmxTestSupport", "loopback-origin", system],
    path: "Tests/Support/LoopbackOriginTests", swiftSettings: strict),
  .testTarget(
    name: "CommandTests",
    dependencies: [
      "vmx--dispatch", "vmx-list", "vmx-show", "vmx-path", "vmx-rename", "vmx-verify", "VmxModel",
      "VmxPlugins",
      "VmxJSON", "VmxStore", "VmxVerifying", "VmxPresentation", "VmxCommand", "VmxTestSupport",
      "VmxCommandTestSupport", parser, system,
    ],
    path: "Tests/Commands", swiftSettings: strict),
  .testTarget(
    name: "Scenarios",
    dependencies: [
      "VmxModel", "VmxSettings", "VmxSystem", "VmxJSON", "VmxPresentation", "VmxTestSupport",
      system,
    ],
    path: "Tests/Scenarios", exclude: ["Stories"], swiftSettings: strict),
]

// libFuzzer brings a loop of its own, and its sanitizers are for all that is built: so this target
// is there for Tests/Fuzz/run.sh alone.
let fuzzing: [Target] =
  Context.environment["VMX_FUZZ"] == nil
  ? []
  : [
    .executableTarget(
      name: "fuzz-inputs",
      dependencies: [
        "VmxModel", "VmxNaming", "VmxSettings", "VmxSystem", "VmxJSON", "VmxArchive", "VmxDigest",
        "VmxLibrary", "VmxTransfer", "VmxMedia", "VmxMarkup", "VmxMigrating", "VmxCatalogue",
        "VmxLicence", system,
      ],
      path: "Tests/Fuzz", exclude: ["Seeds", "run.sh"],
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
  ]

/// The targets of the package; with VMX_ONLY=VmxMarkup,VmxStore just those of these libraries: their
/// tests, and what they need. An unknown name is an empty package, which swift refuses.
let all = modules + libraries.flatMap { $0 } + commands.flatMap { $0 } + support + fuzzing
let targets =
  Context.environment["VMX_ONLY"]
  .map { closure(of: $0.split(separator: ",").map(String.init), in: all) } ?? all

func closure(of libraries: [String], in all: [Target]) -> [Target] {
  let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  var found: Set<String> = []
  var open = libraries + libraries.map { $0 + "Tests" }
  while let name = open.popLast() {
    guard let target = byName[name], found.insert(name).inserted else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): open.append(name)
      default: break
      }
    }
  }
  return all.filter { found.contains($0.name) }
}

let products: [Product] =
  targets.contains { $0.name == "VmxKit" } ? [.library(name: "VmxKit", targets: ["VmxKit"])] : []

let package = Package(
  name: "vmx",
  products: products,
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
  ],
  targets: targets,
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
