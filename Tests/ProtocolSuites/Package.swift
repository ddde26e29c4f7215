// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since its hundreds of endpoints take minutes to build: `make suites`.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]

let library: [Target.Dependency] = [
    "SuiteSupport", .product(name: "APIKit", package: "APIKit"), .product(name: "APIKitTesting", package: "APIKit"),
]

let package = Package(
    name: "ProtocolSuites",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "APIKit", path: "../..")],
    targets: [
        .target(
            name: "SuiteSupport",
            dependencies: [
                .product(name: "APIKit", package: "APIKit"), .product(name: "APIKitTesting", package: "APIKit"),
            ],
            path: "SuiteSupport", swiftSettings: settings),
        // What is sent: routes, parameters, encodings, headers, credentials, media types, and streams.
        .testTarget(
            name: "TypeSpecWireTests", dependencies: library, path: "TypeSpecWireTests", swiftSettings: settings),
        // Models: the types of members, lists, unions, and inheritance.
        .testTarget(
            name: "TypeSpecTypeTests", dependencies: library, path: "TypeSpecTypeTests", swiftSettings: settings),
        // Smithy's protocol restJson1.
        .testTarget(name: "RestJSONTests", dependencies: library, path: "RestJSONTests", swiftSettings: settings),
    ]
)
