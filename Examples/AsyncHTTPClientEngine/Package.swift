// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let core = Target.Dependency.product(name: "APIKitCore", package: "APIKit")
let foundation = Target.Dependency.product(name: "APIKit", package: "APIKit")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")

let package = Package(
    name: "AsyncHTTPClientEngine",
    platforms: [.macOS(.v13)],
    products: [.library(name: "AsyncHTTPClientEngine", targets: ["AsyncHTTPClientEngine"])],
    dependencies: [
        .package(name: "APIKit", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        // Of async-http-client's own dependencies those whose errors the engine sorts.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        // For the program: its endpoints, and the server they talk to, are those of the examples.
        .package(name: "APIKitExamples", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .target(
            name: "AsyncHTTPClientEngine",
            dependencies: [
                core, asyncHTTPClient, nioCore, nioHTTP1, "CZlib",
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        // The system's zlib, for the content codings gzip and deflate.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .executableTarget(
            name: "github-users",
            dependencies: [
                "AsyncHTTPClientEngine",
                foundation,
                .product(name: "EmbeddedServer", package: "APIKitExamples"),
                .product(name: "ExampleSupport", package: "APIKitExamples"),
                .product(name: "GitHub", package: "APIKitExamples"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AsyncHTTPClientEngineTests",
            dependencies: [
                "AsyncHTTPClientEngine", "CZlib",
                core, asyncHTTPClient, nioCore, nioHTTP1,
                .product(name: "EngineConformance", package: "APIKit"),
                .product(name: "APIKitTestServer", package: "APIKit"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
    ]
)
