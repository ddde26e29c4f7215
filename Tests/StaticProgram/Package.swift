// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "StaticProgram",
    dependencies: [.package(name: "APIKit", path: "../..")],
    targets: [
        .executableTarget(name: "page", dependencies: [.product(name: "APIKitCurl", package: "APIKit")])
    ]
)
