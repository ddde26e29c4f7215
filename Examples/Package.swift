// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A command-line program in `Sources/<name>`: a line in `programs` adds one, further dependencies go behind the name.
func program(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            "EmbeddedServer",
            "ExampleSupport",
            .product(name: "APIKitCore", package: "APIKit"),
            .product(name: "APIKitFoundation", package: "APIKit"),
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ] + dependencies,
        swiftSettings: settings
    )
}

let programs = [
    program("github-users"),
    program("foursquare-venues"),
    program("upload-photo"),
    program("download"),
    program("upload"),
    program("events"),
    program("send-cost", "TestSupport"),
    program("transfer-cost", "TestSupport"),
]

let package = Package(
    name: "APIKitExamples",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "APIKit", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // Without APIKit: FlyingFox has types of the same names, such as HTTPRequest.
        .target(
            name: "EmbeddedServer",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            swiftSettings: settings
        ),
        // A link to the tests' server: the embedded one writes heads and bodies apart, and so waits for
        // acknowledgements.
        .target(name: "TestSupport", swiftSettings: settings),
        .target(
            name: "ExampleSupport",
            dependencies: [.product(name: "APIKitFoundation", package: "APIKit")],
            swiftSettings: settings
        ),
    ] + programs
)
