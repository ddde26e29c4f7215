import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct FilePartTests {
    @Test(
        arguments: [
            ("a.png" as String?, nil as MIMEType?, MIMEType.png), ("a.png", .jpeg, .jpeg), ("a", nil, .octetStream),
            (nil, nil, .octetStream), (nil, .json, .json), ("A.JPEG", nil, .jpeg),
        ] as [(String?, MIMEType?, MIMEType)])
    func derivesItsTypeFromTheFilename(
        filename: String?, given: MIMEType?, type: MIMEType
    ) {
        let file = FilePart(Data([1]), filename: filename, contentType: given)
        #expect(file.body.contentType == type)
        #expect(file.filename == filename)
        #expect(file.body.data == Data([1]))
        let body = RequestBody.stream(length: nil, contentType: given) { ByteStream([]) }
        #expect(FilePart(body, filename: filename).body.contentType == type)
        #expect((FilePart(body, filename: filename).body == body) == (given != nil))
    }

    @Test(
        arguments: [
            ("/a/b.png", nil as String?, nil as MIMEType?, "b.png", MIMEType.png),
            ("/a/b.png", "c.txt", nil, "c.txt", .plainText), ("/a/b", nil, nil, "b", .octetStream),
            ("/a/b.png", nil, .json, "b.png", .json), ("/a/b.png", "c", nil, "c", .octetStream),
            ("/a/b c%20\u{FC}#?.png", nil, nil, "b c%20\u{FC}#?.png", .png),
        ] as [(String, String?, MIMEType?, String, MIMEType)])
    func aFileOnDiskKeepsItsName(
        path: String, given: String?, type: MIMEType?, name: String, expected: MIMEType
    ) {
        let file = FilePart(URL(fileURLWithPath: path), filename: given, contentType: type)
        #expect(file.filename == name)
        #expect(file.body.contentType == expected)
        #expect(file.body.file?.path == path)
    }
}
