import APIKitCore
import Testing

@Suite struct TransferProgressTests {
    @Test(
        arguments: [
            (0, nil as Int?, nil as Double?), (5, nil, nil), (0, 10, 0), (5, 10, 0.5), (10, 10, 1), (11, 10, 1),
            (0, 0, 1),
            (7, 0, 1), (.max, .max, 1), (1, .max, 1 / Double(Int.max)),
        ] as [(Int, Int?, Double?)])
    func fractionsAreRelativeToTotal(count: Int, total: Int?, fraction: Double?) {
        let sent = TransferProgress(bytesSent: count, totalBytesToSend: total)
        #expect(sent.fractionSent == fraction)
        #expect(sent.fractionReceived == nil)
        let received = TransferProgress(bytesReceived: count, totalBytesToReceive: total)
        #expect(received.fractionReceived == fraction)
        #expect(received.fractionSent == nil)
    }
}
