// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// In release builds, tests are compiled as for debugging: what they test is optimized. As a whole, a module of tests
/// would keep one core busy for minutes.
let testSettings =
    settings + [
        .unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
    ]

let package = Package(
    name: "APIKit",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1), .macCatalyst(.v16)],
    products: [
        // Everything that a program needs: `import APIKit`.
        .library(name: "APIKit", targets: ["APIKit"]),
        .library(name: "APIKitCore", targets: ["APIKitCore"]),
        .library(name: "APIKitJSON", targets: ["APIKitJSON"]),
        .library(name: "APIKitClients", targets: ["APIKitClients"]),
        .library(name: "APIKitStreams", targets: ["APIKitStreams"]),
        .library(name: "APIKitFoundation", targets: ["APIKitFoundation"]),
        .library(name: "APIKitCurl", targets: ["APIKitCurl"]),
        // Uploads that continue after a break. Only for programs that upload large files.
        .library(name: "APIKitUploads", targets: ["APIKitUploads"]),
        // Tokens that a program obtains, keeps and renews by itself. Only for programs that sign in with OAuth.
        .library(name: "APIKitOAuth", targets: ["APIKitOAuth"]),
        // For the tests of programs. Modules of their own, so that no program contains them.
        .library(name: "APIKitTesting", targets: ["APIKitTesting"]),
        .library(name: "APIKitRecording", targets: ["APIKitRecording"]),
        .library(name: "APIDescription", targets: ["APIDescription"]),
        // For the package in Tools only: its API may change in any version.
        .library(name: "OpenAPIRules", targets: ["OpenAPIRules"]),
        // For the tests of engines that are written elsewhere: the contract, and the server that its checks talk to.
        .library(name: "EngineConformance", targets: ["EngineConformance"]),
        .library(name: "APIKitTestServer", targets: ["APIKitTestServer"]),
    ],
    targets: [
        // Helpers of several modules. It is no product, since it has no public API.
        .target(name: "APIKitSupport", swiftSettings: settings),
        .target(name: "APIKitJSON", dependencies: ["APIKitSupport"], swiftSettings: settings),
        .target(name: "APIKitCore", dependencies: ["APIKitJSON", "APIKitSupport"], swiftSettings: settings),
        .target(name: "APIKitClients", dependencies: ["APIKitCore", "APIKitSupport"], swiftSettings: settings),
        .target(name: "APIKitStreams", dependencies: ["APIKitCore", "APIKitSupport"], swiftSettings: settings),
        // The engine of Linux; elsewhere both are empty.
        .target(
            name: "APIKitCurl", dependencies: ["APIKitCore", "APIKitSupport", "CAPIKitCurl"], swiftSettings: settings),
        .target(name: "CAPIKitCurl"),
        .target(
            name: "APIKitFoundation",
            dependencies: [
                "APIKitCore", "APIKitSupport", .target(name: "APIKitCurl", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "APIKitUploads", dependencies: ["APIKitCore", "APIKitClients", "APIKitSupport"],
            swiftSettings: settings),
        .target(
            name: "APIKitOAuth", dependencies: ["APIKitCore", "APIKitClients", "APIKitFoundation", "APIKitSupport"],
            swiftSettings: settings),
        .target(
            name: "APIKit",
            dependencies: [
                "APIKitCore", "APIKitClients", "APIKitStreams", "APIKitFoundation",
                .target(name: "APIKitCurl", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "APIKitTesting", dependencies: ["APIKitCore", "APIKitJSON", "APIKitStreams", "APIKitSupport"],
            swiftSettings: settings),
        .target(
            name: "APIKitRecording", dependencies: ["APIKitCore", "APIKitSupport", "APIKitTesting"],
            swiftSettings: settings),
        .target(name: "OpenAPIRules", dependencies: ["APIKitCore", "APIKitSupport"], swiftSettings: settings),
        .target(
            name: "APIDescription",
            dependencies: ["APIKitCore", "APIKitSupport", "APIKitTesting", "APIKitRecording", "OpenAPIRules"],
            swiftSettings: settings),
        .target(
            name: "APIKitTestServer", path: "Tests/APIKitTestServer", swiftSettings: settings),
        // How tests share the machine, and how long they search.
        .target(name: "TestTraits", path: "Tests/TestTraits", swiftSettings: settings),
        .target(
            name: "EngineConformance",
            dependencies: ["APIKitCore", "APIKitSupport", "APIKitTestServer", "TestTraits"],
            path: "Tests/EngineConformance",
            swiftSettings: settings
        ),
        // What several modules of tests use.
        .target(
            name: "TestSupport",
            dependencies: ["APIKitCore", "APIKitClients", "APIKitSupport", "APIKitTesting"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "APIKitSupportTests", dependencies: ["APIKitSupport", "TestSupport"], swiftSettings: testSettings),
        .testTarget(
            name: "APIKitJSONTests", dependencies: ["APIKitJSON", "TestTraits"], exclude: ["JSONTestSuite.txt"],
            swiftSettings: testSettings),
        .testTarget(
            name: "APIKitCoreTests",
            dependencies: ["APIKitCore", "APIKitSupport", "APIKitTesting", "TestSupport", "TestTraits"],
            swiftSettings: testSettings),
        .testTarget(
            name: "APIKitClientsTests",
            dependencies: ["APIKitClients", "APIKitSupport", "APIKitTesting", "TestSupport", "TestTraits"],
            swiftSettings: testSettings),
        .testTarget(
            name: "APIKitStreamsTests", dependencies: ["APIKitStreams", "APIKitTesting", "TestSupport", "TestTraits"],
            swiftSettings: testSettings),
        .testTarget(
            name: "APIKitUploadsTests",
            dependencies: [
                "APIKit", "APIKitUploads", "APIKitRecording", "APIKitSupport", "APIKitTesting", "APIKitTestServer",
                "TestSupport", "TestTraits",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "APIKitTestingTests",
            dependencies: ["APIKitTesting", "APIKitClients", "APIKitStreams", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "APIKitRecordingTests",
            dependencies: [
                "APIKitRecording", "APIKitClients", "APIKitStreams", "APIKitSupport", "APIKitTesting", "TestSupport",
                "TestTraits",
            ],
            swiftSettings: testSettings),
        .testTarget(name: "OpenAPIRulesTests", dependencies: ["OpenAPIRules"], swiftSettings: testSettings),
        .testTarget(
            name: "APIDescriptionTests",
            dependencies: ["APIDescription", "APIKitStreams", "APIKitRecording", "TestTraits"],
            swiftSettings: testSettings),
        .testTarget(
            name: "ScaleTests", dependencies: ["APIKit", "APIKitRecording", "APIKitSupport", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "APIKitFoundationTests",
            dependencies: [
                "APIKit", "APIKitFoundation", "APIKitSupport", "APIKitTesting", "EngineConformance", "APIKitTestServer",
                "TestTraits",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "APIKitCurlTests",
            dependencies: [
                "APIKitCurl", "APIKitSupport", "APIKitTesting", "EngineConformance", "APIKitTestServer", "TestTraits",
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "APIKitOAuthTests",
            dependencies: [
                "APIKitOAuth", "APIKitClients", "APIKitFoundation", "APIKitRecording", "APIKitSupport", "APIKitTesting",
                "APIKitTestServer", "TestSupport", "TestTraits",
            ],
            swiftSettings: testSettings
        ),
    ]
)
