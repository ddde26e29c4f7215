// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "APIKit",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1), .macCatalyst(.v16)],
    products: [
        .library(name: "APIKitCore", targets: ["APIKitCore"]),
        .library(name: "APIKitFoundation", targets: ["APIKitFoundation"]),
    ],
    targets: [
        .target(name: "APIKitCore", swiftSettings: settings),
        .target(name: "APIKitFoundation", dependencies: ["APIKitCore"], swiftSettings: settings),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        .target(
            name: "EngineConformance",
            dependencies: ["APIKitCore", "TestSupport"],
            path: "Tests/EngineConformance",
            swiftSettings: settings
        ),
        .testTarget(name: "APIKitCoreTests", dependencies: ["APIKitCore"], swiftSettings: settings),
        .testTarget(
            name: "APIKitFoundationTests",
            dependencies: ["APIKitFoundation", "EngineConformance", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "InteropTests",
            dependencies: ["APIKitFoundation", "EngineConformance"],
            swiftSettings: settings
        ),
        // The documentation's code, as it compiles in a module of the usual kind, and in one that is isolated to the
        // main actor, as new app projects are, in both language modes. The last two folders are links to the first.
        .testTarget(name: "SnippetTests", dependencies: ["APIKitFoundation"]),
        .testTarget(
            name: "SnippetMainActorTests",
            dependencies: ["APIKitFoundation"],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .testTarget(
            name: "SnippetMainActorSwift5Tests",
            dependencies: ["APIKitFoundation"],
            swiftSettings: [.defaultIsolation(MainActor.self), .swiftLanguageMode(.v5)]
        ),
    ]
)
