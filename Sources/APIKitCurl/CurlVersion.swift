#if os(Linux)
import CAPIKitCurl

/// A version of libcurl, whose behavior differs from one to the next.
struct CurlVersion: Comparable {
    private let number: UInt32

    init(_ major: UInt32, _ minor: UInt32) {
        number = acurl_version_number(major, minor)
    }

    private init(number: UInt32) {
        self.number = number
    }

    /// The one that is installed. Only for use once libcurl has been opened.
    static var installed: CurlVersion { CurlVersion(number: acurl_version()) }

    static func < (left: CurlVersion, right: CurlVersion) -> Bool {
        left.number < right.number
    }
}
#endif
