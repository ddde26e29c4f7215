#if os(Linux)
/// Numbers of libcurl's options, which never change.
enum CurlOption: Int32 {
    // Of a loop (`CURLMOPT_…`).
    case keptConnections = 6, maxConnectionsPerHost, maxConnections = 13, maxStreams = 16
    // Of a transfer (`CURLOPT_…`): numbers.
    case uploadSize = 14, sslVersion = 32, verbose = 41, noProgress = 43, noBody, upload = 46, post, postSize = 60
    case freshConnection = 74, forbidReuse, get = 80, httpVersion = 84, bufferSize = 98, noSignal, timeout = 155
    case connectTimeout
    case protocols = 181, pathAsIs = 234, waitForMultiplexing = 237, suppressConnectHeaders = 265, http09Allowed = 285
    case maxAgeOfConnection = 288, quickExit = 322
    // Texts and pointers.
    case url = 10002, proxy = 10004, errorBuffer = 10010, headers = 10023, certificate = 10025, keyPassword
    case method = 10036, rootCertificates = 10065, key = 10087, copiedPost = 10165, pinnedKeys = 10230, unixSocket
    case protocolNames = 10318
}

/// Numbers of what libcurl knows of a transfer (`CURLINFO_…`).
enum CurlInfo: Int32 {
    case connectCode = 0x200016, newConnections = 0x20001A, httpVersion = 0x20002E
    case nameLookupTime = 0x600033, connectTime, timeBeforeTransfer, secureTime = 0x600038
}
#endif
