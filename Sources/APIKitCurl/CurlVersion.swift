#if os(Linux)
import CAPIKitCurl

/// A version of libcurl. The engine works around defects and missing features of some versions.
struct CurlVersion: Comparable {
    private let number: UInt32

    init(_ major: UInt32, _ minor: UInt32) {
        number = acurl_version_number(major, minor)
    }

    private init(number: UInt32) {
        self.number = number
    }

    /// The installed version. It is only known after `acurl_open` has opened libcurl.
    static var installed: CurlVersion { CurlVersion(number: acurl_version()) }

    static func < (left: CurlVersion, right: CurlVersion) -> Bool {
        left.number < right.number
    }
}
#endif
