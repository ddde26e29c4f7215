// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A command-line program in `Sources/<name>`, with its further dependencies after the name.
func program(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["WeightSupport", .product(name: "APIKit", package: "APIKit")] + dependencies,
        swiftSettings: settings
    )
}

// Without the dependencies of the other benchmarks, since a build without optimization would compile them too.
let package = Package(
    name: "Weight",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "APIKit", path: "../..")],
    targets: [
        // Which decoder or client a program measures, the model, and the clock.
        .target(
            name: "WeightSupport",
            dependencies: [.product(name: "APIKit", package: "APIKit")],
            swiftSettings: settings
        ),
        program("decode"),
        // `Scripts/weight` writes its models.
        program("first"),
        program("request", .product(name: "APIKitTestServer", package: "APIKit")),
    ]
)
