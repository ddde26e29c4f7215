import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite struct FileErrorTests {
    private static let url = URL(fileURLWithPath: "/a/b")

    @Test(arguments: [
        (FileError.Code.cannotRead, "cannot read the file /a/b: No such file or directory"),
        (.cannotCreate, "cannot create the file /a/b: No such file or directory"),
        (.cannotWrite, "cannot write the file /a/b: No such file or directory"),
        (.cannotMove, "cannot move the file to /a/b: No such file or directory"),
        (.inUse, "another download uses the file /a/b"),
        (.init(rawValue: "mine"), "mine: /a/b: No such file or directory"),
    ]) func describesWhatFailedAndWhy(code: FileError.Code, description: String) {
        let error = FileError(code, Self.url, errno: ENOENT)
        #expect(error.code == code)
        #expect(error.path == "/a/b")
        #expect(error.errno == ENOENT)
        #expect(error.description == description)
        #expect(error.localizedDescription == description)
    }
}
