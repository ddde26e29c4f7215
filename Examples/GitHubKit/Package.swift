// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "GitHubKit",
    platforms: [.macOS(.v13)],
    products: [.library(name: "GitHubKit", targets: ["GitHubKit"])],
    dependencies: [
        .package(name: "APIKit", path: "../.."),
        // For the program: the server that it talks to, and the progress bar.
        .package(name: "APIKitExamples", path: ".."),
    ],
    targets: [
        .target(
            name: "GitHubKit", dependencies: [.product(name: "APIKit", package: "APIKit")], swiftSettings: settings),
        .executableTarget(
            name: "repo",
            dependencies: [
                "GitHubKit",
                .product(name: "EmbeddedServer", package: "APIKitExamples"),
                .product(name: "ExampleSupport", package: "APIKitExamples"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GitHubKitTests",
            dependencies: [
                "GitHubKit",
                .product(name: "APIKit", package: "APIKit"),
                .product(name: "APIDescription", package: "APIKit"),
                .product(name: "APIKitTesting", package: "APIKit"),
            ],
            swiftSettings: settings
        ),
    ]
)
