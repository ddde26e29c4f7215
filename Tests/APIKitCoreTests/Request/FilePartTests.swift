import APIKitCore
import Foundation
import Testing

@Suite struct FilePartTests {
    @Test(arguments: [
        ("a.png" as String?, nil as MIMEType?, MIMEType.png), ("a.png", .jpeg, .jpeg), ("a", nil, .octetStream),
        (nil, nil, .octetStream), (nil, .json, .json), ("A.JPEG", nil, .jpeg),
    ])
    func guessesItsTypeUnlessGiven(filename: String?, given: MIMEType?, type: MIMEType) {
        let file = FilePart(Data([1]), filename: filename, contentType: given)
        #expect(file.contentType == type)
        #expect(file.filename == filename)
        #expect(file.body.data == Data([1]))
    }
}
