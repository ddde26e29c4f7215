// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Tools",
    platforms: [.macOS(.v13)],
    products: [.executable(name: "apikit", targets: ["apikit"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // For recordings, and for the tests, which compile and run what is generated.
        .package(name: "APIKit", path: ".."),
    ],
    targets: [
        .executableTarget(
            name: "apikit",
            dependencies: ["APIKitTools", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings
        ),
        .target(
            name: "APIKitTools",
            // The library reads recordings and masks their secrets, follows the references of descriptions, and writes
            // JSON.
            dependencies: [
                "Yams", .product(name: "APIKitCore", package: "APIKit"),
                .product(name: "APIKitJSON", package: "APIKit"),
                .product(name: "APIKitRecording", package: "APIKit"),
                .product(name: "OpenAPIRules", package: "APIKit"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "APIKitToolsTests",
            dependencies: [
                "APIKitTools", "apikit", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "APIKitCore", package: "APIKit"),
                .product(name: "OpenAPIRules", package: "APIKit"),
            ],
            exclude: ["EndpointNames.txt"],
            swiftSettings: settings
        ),
        // The endpoints of Tests/Descriptions as they are generated, and tests that use them.
        .testTarget(
            name: "GeneratedTests",
            dependencies: [
                .product(name: "APIKit", package: "APIKit"), .product(name: "APIKitOAuth", package: "APIKit"),
                .product(name: "APIKitTesting", package: "APIKit"),
            ],
            swiftSettings: settings
        ),
        // What is generated from a recording, and the tests that are.
        .target(
            name: "Recorded", dependencies: [.product(name: "APIKit", package: "APIKit")], path: "Tests/Recorded",
            swiftSettings: settings),
        .testTarget(
            name: "RecordedTests", dependencies: ["Recorded", .product(name: "APIKit", package: "APIKit")],
            swiftSettings: settings),
    ]
)
