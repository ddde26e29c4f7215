// swift-tools-version: 6.2
import PackageDescription

/// The program `Sources/peer-<name>`, which sends requests with one library.
func peer(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(name: "peer-\(name)", dependencies: ["PeerSupport"] + dependencies)
}

// A package of its own, so that programs for other libraries can depend on `PeerSupport` without the other benchmarks.
let package = Package(
    name: "PeerPrograms",
    platforms: [.macOS(.v13)],
    products: [.library(name: "PeerSupport", targets: ["PeerSupport"])],
    dependencies: [
        .package(name: "APIKit", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        // What a program is asked to do, and how it measures that.
        .target(name: "PeerSupport"),
        peer("urlsession"),
        peer("apikit", .product(name: "APIKit", package: "APIKit")),
        peer(
            "async-http-client",
            .product(name: "AsyncHTTPClient", package: "async-http-client"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio")
        ),
    ]
)
