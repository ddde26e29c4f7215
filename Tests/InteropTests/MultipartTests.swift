import APIKit
import Testing

@Suite(.httpbin, .timeLimit(.minutes(10))) struct MultipartTests {
    /// Bytes that are not text, so that httpbin echoes their type, and that contain what looks like a boundary.
    private let picture = Data([0x89, 0x50, 0xFF, 0x00]) + Data("\r\n--apikit\r\n--\r\n".utf8)

    private func dataURL(_ type: String, _ data: Data) -> Values {
        Values(stringLiteral: "data:\(type);base64,\(data.base64EncodedString())")
    }

    @Test func fieldsAndFilesArriveWithTheirTypes() async throws {
        let parameters: Parameters = [
            "caption": "At the \"beach\" & näher 🏖", "public": true, "photo": FilePart(picture, filename: "beach.png"),
            "raw": FilePart(picture, filename: "raw.unheard-of"),
            "notes": FilePart(Data("héllo".utf8), filename: "a.txt"),
        ]
        let echo = try await URLSession.api.send(Anything(method: .post, parameters: parameters))
        #expect(echo.form == ["caption": "At the \"beach\" & näher 🏖", "public": "true"])
        #expect(
            echo.files == [
                "photo": dataURL("image/png", picture), "raw": dataURL("application/octet-stream", picture),
                "notes": "héllo",
            ])
        #expect(echo.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test(arguments: [
        "plain.jpg", "two words.jpg", "quoted \"name\".jpg", "näme 日本.jpg", "a\r\nb.jpg", "a;b=c.jpg", "",
    ])
    func filesArriveWithAnyName(name: String) async throws {
        let file = FilePart(picture, filename: name, contentType: "image/x-own")
        let echo = try await URLSession.api.send(Anything(method: .put, parameters: ["file": file]))
        #expect(echo.files == ["file": dataURL("image/x-own", picture)] || (name.isEmpty && echo.files == [:]))
    }

    @Test(arguments: ["näme", "quoted \"name\"", "a[0]", "a;b=c", "two words"])
    func fieldsArriveWithAnyName(name: String) async throws {
        let file = FilePart(Data("text".utf8), filename: "a.txt")
        let echo = try await URLSession.api.send(
            Anything(method: .post, parameters: [name: "value", "\(name)2": file]))
        #expect(echo.form == [name: "value"])
        #expect(echo.files == ["\(name)2": "text"])
    }

    @Test func repeatedFieldsAndEmptyFilesArrive() async throws {
        var form = MultipartForm()
        for tag in ["a", "b"] { form.append(tag, for: "tag") }
        form.append(FilePart(Data(), filename: "empty.bin"), for: "empty")
        form.append("several\nlines\r\n", for: "text")
        let echo = try await URLSession.api.send(AnythingInBody(body: .multipart(form)))
        #expect(echo.form == ["tag": ["a", "b"], "text": "several\nlines\r\n"])
        #expect(echo.files == ["empty": ""])
    }
}
