// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A command-line program in `Sources/<name>`: a line in `programs` adds one, with its further dependencies after the
/// name.
func program(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            "EmbeddedServer",
            "ExampleSupport",
            .product(name: "APIKitCore", package: "APIKit"),
            .product(name: "APIKit", package: "APIKit"),
            .product(name: "APIKitRecording", package: "APIKit"),
            .product(name: "APIKitTesting", package: "APIKit"),
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ] + dependencies,
        swiftSettings: settings
    )
}

let programs = [
    program("github-client", "GitHub"),
    program("issue-browser", "GitHub"),
    program("foursquare-venues"),
    program("download"),
    program("upload"),
    program("resumable-upload", .product(name: "APIKitUploads", package: "APIKit")),
    program("events"),
    program("chat"),
    program("mcp-client", .product(name: "APIKitOAuth", package: "APIKit")),
    program("sign-in", .product(name: "APIKitOAuth", package: "APIKit")),
]

let package = Package(
    name: "APIKitExamples",
    platforms: [.macOS(.v13)],
    // For the program of the second engine, in the package AsyncHTTPClientEngine.
    products: [
        .library(name: "EmbeddedServer", targets: ["EmbeddedServer"]),
        .library(name: "ExampleSupport", targets: ["ExampleSupport"]),
        .library(name: "GitHub", targets: ["GitHub"]),
    ],
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
        .target(
            name: "ExampleSupport",
            dependencies: [
                "EmbeddedServer",
                .product(name: "APIKit", package: "APIKit"),
                .product(name: "APIKitRecording", package: "APIKit"),
                .product(name: "APIKitTesting", package: "APIKit"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        // The endpoints of an API as a module of their own.
        .target(
            name: "GitHub",
            dependencies: [
                .product(name: "APIKitClients", package: "APIKit"), .product(name: "APIKitCore", package: "APIKit"),
            ],
            swiftSettings: settings
        ),
        // A screen for SwiftUI; empty on Linux.
        .target(
            name: "RepositoryList",
            dependencies: [
                "GitHub", .product(name: "APIKit", package: "APIKit"),
                .product(name: "APIKitTesting", package: "APIKit"),
            ],
            swiftSettings: settings
        ),
        // With little to build, since it is what newcomers run first.
        .executableTarget(
            name: "github-users",
            dependencies: ["EmbeddedServer", "GitHub", .product(name: "APIKit", package: "APIKit")],
            swiftSettings: settings
        ),
    ] + programs
)
