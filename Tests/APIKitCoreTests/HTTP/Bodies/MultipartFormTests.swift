import APIKitSupport
import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite struct MultipartFormTests {
    private func text(_ form: MultipartForm) throws -> String {
        String(decoding: try #require(RequestBody.multipart(form).data), as: UTF8.self)
    }

    private func head(_ name: String = "f", filename: String? = "a.txt", type: MIMEType = .plainText) throws -> String {
        var form = MultipartForm(boundary: "b")
        form.append(FilePart(Data(), filename: filename, contentType: type), for: name)
        let text = try text(form)
        let end = try #require(text.range(of: "\r\n\r\n"))
        return String(text[..<end.lowerBound])
    }

    @Test func writesPartsByteByByte() throws {
        var form = MultipartForm(boundary: "AaB03x")
        form.append("Larry", for: "submit-name")
        form.append(FilePart(Data([0x00, 0xFF, 0x0D, 0x0A, 0x2D, 0x2D]), filename: "file1.bin"), for: "files")
        var expected = Data(
            ("--AaB03x\r\nContent-Disposition: form-data; name=\"submit-name\"\r\n\r\nLarry\r\n"
                + "--AaB03x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"file1.bin\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n").utf8)
        expected += Data([0x00, 0xFF, 0x0D, 0x0A, 0x2D, 0x2D])
        expected += Data("\r\n--AaB03x--\r\n".utf8)
        #expect(RequestBody.multipart(form).data == expected)
    }

    @Test func writesOnlyTheHeadersThatThereAre() throws {
        #expect(try head(type: "text/plain; charset=utf-8").hasSuffix("\r\nContent-Type: text/plain; charset=utf-8"))
        #expect(try !head(filename: "caf\u{E9} \u{20AC}.txt").contains("filename*"))
        #expect(
            try head(filename: nil, type: .json)
                == "--b\r\nContent-Disposition: form-data; name=\"f\"\r\nContent-Type: application/json")
    }

    @Test(
        arguments: [
            ("a\"b", "a%22b"), ("a\\b", "a\\b"), ("a\\\"b", "a\\%22b"), ("caf\u{E9}", "caf\u{E9}"),
            ("\u{1F600}", "\u{1F600}"), ("100%", "100%"), ("a%22b", "a%22b"), ("a;b=c", "a;b=c"), ("../a/b", "../a/b"),
            ("a b\t", "a b\t"), ("", ""), ("\"\u{301}", "%22\u{301}"),
        ] as [(String, String)])
    func encodesOnlyQuotesInNames(text: String, written: String) throws {
        #expect(try head(text, filename: "x").contains("; name=\"\(written)\"; filename=\"x\"\r\n"))
        #expect(try head("x", filename: text).contains("; name=\"x\"; filename=\"\(written)\"\r\n"))
    }

    @Test(
        arguments: [
            ("a\nb", "a%0D%0Ab"), ("a\rb", "a%0D%0Ab"), ("a\r\nb", "a%0D%0Ab"), ("\n\r", "%0D%0A%0D%0A"),
            ("\r\r\n", "%0D%0A%0D%0A"), ("a\n\u{301}", "a%0D%0A\u{301}"),
        ] as [(String, String)])
    func normalizesNewlinesInFieldNames(name: String, written: String) throws {
        #expect(try head(name, filename: "x").contains("; name=\"\(written)\"; filename"))
        var form = MultipartForm(boundary: "b")
        form.append("", for: name)
        #expect(try text(form).contains("; name=\"\(written)\"\r\n\r\n"))
    }

    @Test(
        arguments: [("a\nb", "a%0Ab"), ("a\rb", "a%0Db"), ("a\r\nb", "a%0D%0Ab"), ("\n\r", "%0A%0D")]
            as [(String, String)])
    func doesNotNormalizeNewlinesInFilenames(filename: String, written: String) throws {
        #expect(try head(filename: filename).contains("; filename=\"\(written)\"\r\n"))
    }

    @Test func aNameCannotAddAHeaderOrAPart() throws {
        var form = MultipartForm(boundary: "b")
        let evil = "x\"\r\nContent-Type: text/html\r\n\r\n<script>\r\n--b--\r\n"
        form.append("text", for: evil)
        form.append(FilePart(Data(), filename: evil), for: evil)
        let parts = try WireDecoding.parts(Array(text(form).utf8), boundary: "b")
        #expect(parts.map(\.headers.count) == [1, 2])
        #expect(parts.map(\.body) == [Array("text".utf8), []])
    }

    @Test(arguments: [
        "a\nb", "a\rb", "a\r\nb", "\n\n", "\n\r", "\r\r\n\n", "a\n", "\na", "a\u{2028}\u{85}b", "\n\u{301}", "",
        "\"%\\", "caf\u{E9}", "--b\r\n", "\r\n--c--\r\n",
    ]) func textIsSentAsItIs(text: String) throws {
        var form = MultipartForm(boundary: "b")
        form.append(text, for: "t")
        #expect(form.parts.first?.body.data == Data(text.utf8))
        form.append(FilePart(Data(text.utf8), filename: "a.txt"), for: "f")
        #expect(form.parts.last?.body.data == Data(text.utf8))
        // Parameters of a form are the same.
        let probe = WireProbe(method: .post, parameters: ["t": text, "f": FilePart(Data(), filename: nil)])
        #expect(try probe.httpRequest().body?.form?.parts.first?.body.data == Data(text.utf8))
    }

    @Test func randomBoundariesAreShortAndUnique() throws {
        let boundaries = (0..<200).map { _ in MultipartForm().boundary }
        #expect(Set(boundaries).count == 200)
        for boundary in boundaries + [String(repeating: "x", count: 70)] {
            #expect(try text(MultipartForm(boundary: boundary)) == "--\(boundary)--\r\n")
            #expect((1...70).contains(boundary.utf8.count))
            #expect(boundary.utf8.allSatisfy(ByteSet.boundary.contains))
            #expect(boundary.isToken)
        }
        // 120 random bits in letters and digits need 24 characters; a generator of fewer bits writes fewer of them.
        let prefix = boundaries.reduce(boundaries[0]) { $0.commonPrefix(with: $1) }
        let random = boundaries.map { $0.utf8.count - prefix.utf8.count }
        #expect(random.reduce(0, +) / random.count >= 24)
    }

    @Test func keepsItsBoundaryWhenSentAgain() throws {
        var form = MultipartForm()
        form.append("x", for: "t")
        let copy = form
        #expect(RequestBody.multipart(form) == RequestBody.multipart(copy))
        let body = try #require(
            WireProbe(method: .post, parameters: ["f": FilePart(Data(), filename: "a")]).httpRequest().body)
        #expect(body.data == body.data)
        #expect(body.contentType?.parameter("boundary").map { body.text.contains("--\($0)\r\n") } == true)
    }

    @Test(
        arguments: [
            ("AaB03x", "multipart/form-data; boundary=AaB03x"), ("a:b", "multipart/form-data; boundary=\"a:b\""),
            ("a=b/c?", "multipart/form-data; boundary=\"a=b/c?\""),
            ("(a),'b'", "multipart/form-data; boundary=\"(a),'b'\""), ("'a'", "multipart/form-data; boundary='a'"),
        ] as [(String, String)])
    func contentTypeHoldsTheBoundary(boundary: String, type: String) {
        #expect(RequestBody.multipart(MultipartForm(boundary: boundary)).contentType?.rawValue == type)
    }

    @Test(arguments: [
        "", String(repeating: "x", count: 71), "a b", "a\r\nX: 1", "a\"b", "a\\b", "a;b", "a\0", "caf\u{E9}", "a@b",
        "a\n",
    ]) func refusesInvalidBoundaries(boundary: String) throws {
        let error = try BodyProbe(body: .multipart(MultipartForm(boundary: boundary))).fault()
        #expect(error.code == .body || error.code == .header)
    }

    @Test(arguments: ["text/plain\r\nX-Evil: 1", "a/b\n", "a/b\r", "a/b\0", "", "\r\n\r\nbody"])
    func refusesInvalidTypesOfParts(type: String) throws {
        var form = MultipartForm(boundary: "b")
        form.append(FilePart(Data(), filename: "a", contentType: MIMEType(rawValue: type)), for: "photo")
        try BodyProbe(body: .multipart(form)).expectFault(.body, "\"photo\"")
        #expect(RequestBody.multipart(form).data == nil)
    }

    @Test func createsPartsFromParameters() throws {
        let photo = FilePart(Data([1, 2]), filename: "a.png")
        let parameters: Parameters = [
            "caption": "a\nb", "count": 7, "isOpen": true, "start": Date(timeIntervalSince1970: 0), "nothing": .null,
            "tags": ["x", "y"], "user": .object(["photo": photo, "name": "ada"]), "files": [photo, photo],
        ]
        let form = MultipartForm(parameters)
        let pairs = [
            "caption=a\nb", "count=7", "isOpen=true", "start=1970-01-01T00:00:00Z", "nothing=", "tags=x", "tags=y",
            "user[photo]=\u{1}\u{2}", "user[name]=ada", "files=\u{1}\u{2}", "files=\u{1}\u{2}",
        ]
        #expect(form.parts.map { "\($0.name)=\($0.body.text)" } == pairs)
        #expect(form.parts[7].filename == "a.png")
        #expect(form.parts[7].body.contentType == .png)
        #expect(form.parts[8].body.contentType == nil)
        let indexed = MultipartForm(["f": [photo, photo]], style: ParameterStyle(lists: .indexed))
        #expect(indexed.parts.map(\.name) == ["f[0]", "f[1]"])
    }

    @Test func reportsInvalidParameters() throws {
        let form = MultipartForm(["ratio": Double.nan, "f": FilePart(Data(), filename: nil)])
        try BodyProbe(body: .multipart(form)).expectFault(.parameters, "\"ratio\"")
    }

    @Test func anyTextIsReadBackFromItsPart() throws {
        let texts = SeededText.texts(500, seed: 30)
        for (name, value) in zip(texts, texts.reversed()) {
            var form = MultipartForm()
            form.append(FilePart(Data(value.utf8), filename: value, contentType: .octetStream), for: name)
            form.append(value, for: name)
            let body = try #require(RequestBody.multipart(form).data)
            let parts = try WireDecoding.parts(Array(body), boundary: form.boundary)
            #expect(parts.map(\.headers.count) == [2, 1], "\(name.debugDescription) \(value.debugDescription)")
            #expect(parts.first?.body == Array(value.utf8))
            #expect(parts.last.map { Data($0.body) } == form.parts.last?.body.data, "\(value.debugDescription)")
        }
    }

    @Test func descriptionHasOneLinePerPartAndMasksSecrets() {
        var form = MultipartForm(boundary: "b")
        form.append("two\nlines", for: "caption")
        form.append("hunter2", for: "password")
        form.append(#"{"token":"hunter2","id":7}"#, for: "note")
        form.append(FilePart(Data([1, 2, 3]), filename: "a.png"), for: "photo")
        let lines = [
            "caption: two lines", "password: ***", #"note: {"token":"***","id":7}"#,
            "photo: a.png (image/png, 3 bytes)",
        ]
        #expect(form.description == lines.joined(separator: "\n"))
        form.append("first line hunter2\nsecond line hunter2", for: "client_secret")
        form.append("1\r\n2", for: "a\r\nb")
        form.append(FilePart(Data(), filename: "d\ne"), for: "c")
        form.append(FilePart(Data(count: 5), filename: nil), for: "f")
        #expect(form.description.split(whereSeparator: \.isNewline).count == 8)
        #expect(!form.description.contains("hunter2"))
        #expect(form.description.contains("5 bytes"))
    }
}
