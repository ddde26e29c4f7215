#if os(Linux)
/// What libcurl's callbacks leave for after libcurl has returned. Each entry is handled once.
struct PostponedWork {
    /// The hosts to which a transfer has connected, and for which others wait. Those may start now, but libcurl takes
    /// no transfers within a callback.
    var connectedHosts: [CurlLoop.Host] = []
    /// The transfers that have received bytes. By the time when libcurl returns, it has delivered all that it has, so a
    /// transfer needs one report only.
    var receivers: [CurlTransfer] = []
}
#endif
