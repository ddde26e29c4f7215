import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct RequestBodyTests {
    private struct User: JSONBody {
        var name = "ada"
        var id = 7
        var link = URL(string: "https://h/a/b")!
    }

    private struct Failing: JSONBody {
        var password = "hunter2"
        func encode(to encoder: any Encoder) throws {
            let context = EncodingError.Context(codingPath: [], debugDescription: "it is too long")
            throw EncodingError.invalidValue(password, context)
        }
    }

    @Test func jsonIsSortedByKeyAndKeepsSlashes() {
        let body = RequestBody.json(User())
        #expect(body.text == #"{"id":7,"link":"https://h/a/b","name":"ada"}"#)
        #expect(body.contentType == .json)
    }

    @Test func jsonUsesGivenEncoder() {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        struct Value: Encodable { var perPage = 1 }
        #expect(RequestBody.json(Value(), encoder: encoder).text == #"{"per_page":1}"#)
    }

    @Test func jsonKeepsOrderOfParameters() {
        let body = RequestBody.json(["b": 1, "a": .object(["c": .null])] as Parameters)
        #expect(body.text == #"{"b":1,"a":{"c":null}}"#)
        #expect(body.contentType == .json)
        let dated: Parameters = ["d": Date(timeIntervalSince1970: 1)]
        #expect(RequestBody.json(dated, style: ParameterStyle(dates: .secondsSince1970)).text == #"{"d":1}"#)
    }

    @Test func encodingErrorOmitsValue() throws {
        let body = RequestBody.json(Failing())
        #expect(body.data == nil)
        let error = try BodyProbe(body: body).fault()
        #expect(error.code == .body)
        #expect(error.message.contains("Failing"))
        #expect(error.message.contains("it is too long"))
        struct Value: JSONBody { var ratio = Double.infinity }
        let number = try BodyProbe(body: .json(Value())).fault()
        #expect(number.code == .body)
        #expect(number.message.contains("ratio"))
        for text in [error.message, error.description, body.description] { #expect(!text.contains("hunter2")) }
    }

    @Test func formIsURLEncodedAndRejectsFiles() throws {
        let body = RequestBody.form(["a": "b c~", "d": [1, 2]])
        #expect(body.text == "a=b+c%7E&d=1&d=2")
        #expect(body.contentType == .formURLEncoded)
        #expect(RequestBody.form(["d": [1]], style: ParameterStyle(lists: .brackets)).text == "d%5B%5D=1")
        #expect(RequestBody.form([:]).data == Data())
        try BodyProbe(body: .form(["photo": FilePart(Data(), filename: "a")])).expectFault(.parameters, "\"photo\"")
    }

    @Test func dataIsUnchanged() {
        let body = RequestBody.data(Data([0, 255]), contentType: "image/x-own")
        #expect(body.data == Data([0, 255]))
        #expect(body.contentType?.rawValue == "image/x-own")
        #expect(RequestBody.data(Data(), contentType: nil).contentType == nil)
    }

    // Without a type, URLSession on Linux would call the bytes a form.
    @Test func bytesWithoutTypeAreOctetStream() throws {
        let bytes = Data("a=1".utf8)
        let bodies: [RequestBody] = [
            .data(bytes, contentType: nil), .stream(length: 3, contentType: nil) { ByteStream([bytes]) },
        ]
        for body in bodies {
            #expect(try BodyProbe(body: body).httpRequest().headers == ["Content-Type": "application/octet-stream"])
            let own = try BodyProbe(headers: ["content-type": "text/x-own"], body: body).httpRequest()
            #expect(own.headers == ["Content-Type": "text/x-own"])
        }
    }

    @Test(
        arguments: [
            (nil, "application/octet-stream"), (MIMEType.json, "application/json"),
        ] as [(MIMEType?, String)])
    func requestWithoutEndpointGetsTypeOfBody(type: MIMEType?, header: String) throws {
        var request = HTTPRequest(method: .post, url: WireProbe.root, body: .data(Data(), contentType: type))
        #expect(try request.prepared(in: Call()).headers == ["Content-Type": header])
        request.headers[.contentType] = "text/x-own"
        #expect(try request.prepared(in: Call()).headers == ["Content-Type": "text/x-own"])
        request.body = nil
        request.headers = [:]
        #expect(try request.prepared(in: Call()).headers.isEmpty)
        request.body = .data(Data(), contentType: "a\nb")
        #expect(throws: RequestError.self) { try request.prepared(in: Call()) }
    }

    @Test(arguments: ["text/plain\r\nX-Evil: 1", "a\n", "\0"]) func rejectsInvalidContentType(type: String) throws {
        try BodyProbe(body: .data(Data(), contentType: MIMEType(rawValue: type))).expectFault(.header)
    }

    @Test func textIsPlainInUTF8UnlessNamedOtherwise() {
        let body = RequestBody.text("Grüße")
        #expect(body.data == Data("Grüße".utf8))
        #expect(body.contentType == .plainText)
        #expect(RequestBody.text("a,b", contentType: .csv).contentType == .csv)
        #expect(RequestBody.text("").data == Data())
    }

    @Test(arguments: [nil, "photo"]) func multipartRequestIsAFormOfPartsWhateverItsValues(file: String?) throws {
        struct AddPhotoRequest: MultipartRequest {
            typealias Response = NoContent
            var photo: FilePart?
            var base: APIBase { "https://api.example.com" }
            var path: URLPath { "photos" }
            var method: HTTPMethod { .post }
            var parameters: Parameters { ["title": "Rome", "photo": photo] }
        }
        let part = file.map { FilePart(.data(Data($0.utf8), contentType: .png), filename: "a.png") }
        let request = try AddPhotoRequest(photo: part).httpRequest()
        #expect(request.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        let names = request.body?.form?.parts.map(\.name)
        #expect(names == (file == nil ? ["title"] : ["title", "photo"]))
    }

    @Test func equalityComparesTypeAndBytes() {
        let body = RequestBody.data(Data("a=1".utf8), contentType: .formURLEncoded)
        #expect(body == .form(["a": 1]))
        #expect(body != .data(Data("a=1".utf8), contentType: .plainText))
        #expect(body != .form(["a": 2]))
    }

    @Test func descriptionShowsMaskedText() {
        #expect(RequestBody.form(["user": "ada", "token": "hunter2"]).description == "user=ada&token=***")
        #expect(
            RequestBody.json(["user": "ada", "token": "hunter2"] as Parameters).description
                == #"{"user":"ada","token":"***"}"#)
        let form = RequestBody.form(["user": "ada", "password": "hunter2, & hunter2", "remember": true])
        #expect(form.description == "user=ada&password=***&remember=true")
        #expect(!RequestBody.multipart(MultipartForm(["password": "hunter2"])).description.contains("hunter2"))
        #expect(!RequestBody.json(["password": "hunter2"] as Parameters).description.contains("hunter2"))
        #expect(RequestBody.data(Data([0, 1]), contentType: .png).description == "(2 bytes)")
        #expect(RequestBody.form(["ratio": Double.nan]).description.contains("\"ratio\""))
    }
}
