// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A command-line program in `Sources/<name>`, with its further dependencies after the name.
func program(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            .product(name: "APIKit", package: "APIKit"),
            "BenchmarkSupport",
            // Not the examples' server, which writes heads and bodies apart, and so waits for acknowledgements.
            .product(name: "APIKitTestServer", package: "APIKit"),
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ] + dependencies,
        swiftSettings: settings
    )
}

let package = Package(
    name: "APIKitBenchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "APIKit", path: ".."),
        .package(name: "AsyncHTTPClientEngine", path: "../Examples/AsyncHTTPClientEngine"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // The endpoint and the engine that several programs measure, and how they measure.
        .target(
            name: "BenchmarkSupport",
            dependencies: [.product(name: "APIKit", package: "APIKit")],
            swiftSettings: settings
        ),
        // libcurl for the contestant by hand, which shares nothing with the engine.
        .target(name: "CCurlByHand"),
        program("send-cost", .product(name: "APIKitTesting", package: "APIKit")),
        program("decode-cost"),
        program("client-cost"),
        program("transfer-cost"),
        program("upload-cost", .product(name: "APIKitUploads", package: "APIKit")),
        program(
            "engine-cost",
            "CCurlByHand",
            .product(name: "APIKitCurl", package: "APIKit"),
            .product(name: "AsyncHTTPClient", package: "async-http-client"),
            .product(name: "AsyncHTTPClientEngine", package: "AsyncHTTPClientEngine"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl")
        ),
    ]
)
