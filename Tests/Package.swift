// swift-tools-version: 6.2
import PackageDescription

// Tests that use the library as a user does, from another package: the documentation's code, and tests against
// independent servers. `swift test` in the library's own package does not compile them: `make snippets` and
// `make interop` do.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "APIKit") }

let package = Package(
    name: "UserTests",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "APIKit", path: "..")],
    targets: [
        .testTarget(
            name: "InteropTests",
            dependencies: [
                product("APIKit"), product("APIKitOAuth"), product("APIKitUploads"), product("APIKitRecording"),
                product("APIKitTesting"), product("APIKitTestServer"), product("EngineConformance"),
            ],
            path: "InteropTests",
            swiftSettings: settings
        ),
        // The documentation's code, as it compiles with the settings of a new package; `make typecheck` checks others.
        .testTarget(
            name: "SnippetTests",
            dependencies: [
                product("APIKit"), product("APIKitOAuth"), product("APIKitUploads"), product("APIKitRecording"),
                product("APIKitTesting"), product("APIDescription"),
            ],
            path: "SnippetTests"
        ),
    ]
)
