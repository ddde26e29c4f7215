// swift-tools-version: 6.2
import PackageDescription

/// The program `Sources/hello-<name>`, which needs nothing but this product.
func hello(_ name: String, _ product: Target.Dependency) -> Target {
    .executableTarget(name: "hello-\(name)", dependencies: [product])
}

// A package of its own, since nothing else needs the other libraries.
let package = Package(
    name: "Hello",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "APIKit", path: "../../.."),
        .package(url: "https://github.com/Alamofire/Alamofire", exact: "5.12.0"),
        .package(url: "https://github.com/kean/Get", exact: "2.2.1"),
    ],
    targets: [
        hello("apikit", .product(name: "APIKit", package: "APIKit")),
        hello("alamofire", .product(name: "Alamofire", package: "Alamofire")),
        hello("get", .product(name: "Get", package: "Get")),
    ]
)
