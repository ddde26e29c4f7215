import Foundation
import Testing

@testable import APIKitCore

@Suite struct FileErrorTests {
    @Test func saysWhatWasTriedAndWhy() {
        let error = FileError("read", URL(fileURLWithPath: "/a/b"), errno: ENOENT)
        #expect(error.operation == "read")
        #expect(error.path == "/a/b")
        #expect(error.errno == ENOENT)
        #expect(error.description == "cannot read the file /a/b: No such file or directory")
        #expect(error.localizedDescription == error.description)
    }
}
