// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since those that the benchmarks depend on take minutes to build.
let package = Package(
    name: "Costs",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "APIKit", path: "../..")],
    targets: [
        .executableTarget(
            name: "costs",
            dependencies: [
                .product(name: "APIKit", package: "APIKit"),
                .product(name: "APIKitTesting", package: "APIKit"),
                .product(name: "APIKitTestServer", package: "APIKit"),
            ],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
        )
    ]
)
