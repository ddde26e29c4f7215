#if os(Linux)
/// What libcurl's callbacks leave for after libcurl has returned. Each entry is handled once.
struct PostponedWork {
    /// The hosts whose waiting transfers may start now, because another one has connected or because the server has
    /// shown whether it supports HTTP/2. libcurl takes no transfers within a callback.
    var hostsToLaunch: [CurlLoop.Host] = []
    /// The transfers that have received bytes. By the time when libcurl returns, it has delivered all that it has, so a
    /// transfer needs one report only.
    var receivers: [CurlTransfer] = []
}
#endif
