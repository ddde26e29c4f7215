#if os(Linux)
/// Numbers of libcurl's options, which never change.
struct CurlOption: RawRepresentable {
    let rawValue: Int32

    // Of a loop (`CURLMOPT_…`).
    static let keptConnections = Self(rawValue: 6)
    static let maxConnectionsPerHost = Self(rawValue: 7)
    static let maxConnections = Self(rawValue: 13)

    // Of a transfer (`CURLOPT_…`): numbers.
    static let noBody = Self(rawValue: 44)
    static let upload = Self(rawValue: 46)
    static let post = Self(rawValue: 47)
    static let freshConnection = Self(rawValue: 74)
    static let get = Self(rawValue: 80)
    static let httpVersion = Self(rawValue: 84)
    static let sslVersion = Self(rawValue: 32)
    static let noSignal = Self(rawValue: 99)
    static let bufferSize = Self(rawValue: 98)
    static let timeout = Self(rawValue: 155)
    static let connectTimeout = Self(rawValue: 156)
    static let protocols = Self(rawValue: 181)
    static let pathAsIs = Self(rawValue: 234)
    static let waitForMultiplexing = Self(rawValue: 237)
    static let suppressConnectHeaders = Self(rawValue: 265)
    static let http09Allowed = Self(rawValue: 285)
    static let maxAgeOfConnection = Self(rawValue: 288)
    static let quickExit = Self(rawValue: 322)

    // Sizes.
    static let uploadSize = Self(rawValue: 30115)
    static let postSize = Self(rawValue: 30120)

    // Texts and pointers.
    static let url = Self(rawValue: 10002)
    static let proxy = Self(rawValue: 10004)
    static let errorBuffer = Self(rawValue: 10010)
    static let headers = Self(rawValue: 10023)
    static let certificate = Self(rawValue: 10025)
    static let keyPassword = Self(rawValue: 10026)
    static let method = Self(rawValue: 10036)
    static let rootCertificates = Self(rawValue: 10065)
    static let key = Self(rawValue: 10087)
    static let copiedPost = Self(rawValue: 10165)
    static let pinnedKeys = Self(rawValue: 10230)
    static let unixSocket = Self(rawValue: 10231)
    static let protocolNames = Self(rawValue: 10318)
}

/// Numbers of what libcurl knows of a transfer (`CURLINFO_…`).
enum CurlInfo {
    static let newConnections: Int32 = 0x200000 + 26
    static let nameLookupTime: Int32 = 0x600000 + 51
    static let connectTime: Int32 = 0x600000 + 52
    static let secureTime: Int32 = 0x600000 + 56
}
#endif
