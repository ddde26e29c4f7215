// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let apiKit = Target.Dependency.product(name: "APIKit", package: "APIKit")
let testing = Target.Dependency.product(name: "APIKitTesting", package: "APIKit")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

let package = Package(
    name: "ServerClients",
    // The standard library's `Atomic` is newer than APIKit's oldest systems.
    platforms: [.macOS(.v15)],
    products: [.library(name: "ServerClients", targets: ["ServerClients"])],
    dependencies: [
        .package(name: "APIKit", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        // For the server.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Each file needs only the library that it is named after.
        .target(
            name: "ServerClients",
            dependencies: [
                apiKit, logging,
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "profiles",
            dependencies: [
                "ServerClients",
                apiKit, logging, lifecycle,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ServerClientsTests",
            dependencies: [
                "ServerClients",
                apiKit, testing, logging,
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ProfilesTests",
            dependencies: [
                "profiles",
                apiKit, testing, logging, lifecycle,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ],
            swiftSettings: settings
        ),
    ]
)
