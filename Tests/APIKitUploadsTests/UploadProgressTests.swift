import APIKitUploads
import Testing

@Suite struct UploadProgressTests {
    @Test func anEmptyFileIsComplete() {
        let progress = UploadProgress(bytesReceived: 0, bytesSent: 0, totalBytes: 0)
        #expect(progress.fraction == 1)
    }

    @Test func fractionCountsConfirmedBytesOnly() {
        let progress = UploadProgress(bytesReceived: 50, bytesSent: 75, totalBytes: 100)
        #expect(progress.fraction == 0.5)
        #expect(progress.fractionSent == 0.75)
    }
}
