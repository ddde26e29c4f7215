// swift-tools-version: 6.2
import PackageDescription

// Three of our clients, in a package that depends on APIKit as a program does. `Scripts/outside` copies their sources
// and tests, and runs the tests.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "OutsideClients",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "APIKit", path: "../..")],
    targets: [
        .target(
            name: "OutsideClients",
            dependencies: [.product(name: "APIKitCore", package: "APIKit")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OutsideClientsTests",
            dependencies: [
                "OutsideClients",
                .product(name: "APIKitCore", package: "APIKit"),
                .product(name: "APIKitTesting", package: "APIKit"),
            ],
            swiftSettings: settings
        ),
    ]
)
