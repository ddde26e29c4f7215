// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "AssistantKit",
    platforms: [.macOS(.v13)],
    products: [.library(name: "AssistantKit", targets: ["AssistantKit"])],
    dependencies: [
        .package(name: "APIKit", path: "../.."),
        // For the program: the server that it talks to.
        .package(name: "APIKitExamples", path: ".."),
    ],
    targets: [
        .target(
            name: "AssistantKit", dependencies: [.product(name: "APIKit", package: "APIKit")], swiftSettings: settings),
        .executableTarget(
            name: "ask",
            dependencies: ["AssistantKit", .product(name: "EmbeddedServer", package: "APIKitExamples")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AssistantKitTests",
            dependencies: [
                "AssistantKit",
                .product(name: "APIKit", package: "APIKit"),
                .product(name: "APIKitRecording", package: "APIKit"),
                .product(name: "APIKitTesting", package: "APIKit"),
            ],
            swiftSettings: settings
        ),
    ]
)
