// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since the endpoints of two SDKs take minutes to build: `make sdk-suites`.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let library = Target.Dependency.product(name: "APIKit", package: "APIKit")

let package = Package(
    name: "SDKSuites",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "APIKit", path: "../..")],
    targets: [
        // The SDKs: the files in Generated, which `generate` writes, and those that were written by hand.
        .target(
            name: "Basecamp", dependencies: [library], path: "Basecamp",
            exclude: ["LICENSE", "cases.jsonl", "openapi.json"], swiftSettings: settings),
        .target(
            name: "Hey", dependencies: [library], path: "Hey", exclude: ["LICENSE", "cases.jsonl", "openapi.json"],
            swiftSettings: settings),
        // Reads cases, plays their responses and checks their assertions.
        .target(
            name: "SuiteSupport",
            dependencies: [
                library, .product(name: "APIKitTestServer", package: "APIKit"),
                .product(name: "APIKitTesting", package: "APIKit"),
            ],
            path: "SuiteSupport", swiftSettings: settings),
        .testTarget(
            name: "BasecampTests", dependencies: ["Basecamp", "SuiteSupport", library], path: "BasecampTests",
            swiftSettings: settings),
        .testTarget(
            name: "HeyTests", dependencies: ["Hey", "SuiteSupport", library], path: "HeyTests",
            swiftSettings: settings),
    ]
)
