import APIKit

struct CreateMessageWithFilesRequest: UnionsRequest {
    typealias Response = NoContent
    var kind: Message = .message
    var text: String?
    var file: FilePart?
    var more: [FilePart] = []

    var method: HTTPMethod { .post }
    var path: URLPath { "messages" }
    var parameters: Parameters { ["kind": kind, "text": text, "file": file, "more": more] }
    var body: RequestBody? { .multipart(MultipartForm(parameters, style: base.parameterStyle)) }
}
