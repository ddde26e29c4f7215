import FlyingFox
import Foundation

/// Receives forms and responds with their descriptions.
struct PhotosAPI: HTTPHandler {
    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.path == "/photos" else { return refusal(.notFound, "Not Found") }
        guard request.method == .POST else {
            var response = refusal(.methodNotAllowed, "This resource accepts POST only.")
            response.headers[HTTPHeader("Allow")] = "POST"
            return response
        }
        let contentType = ParameterizedHeader(request.headers[.contentType] ?? "")
        let body = try await request.bodyData
        switch contentType.value {
        case "application/x-www-form-urlencoded":
            let fields = URLEncodedForm.parse(body).map { field(name: $0.name, value: $0.value) }
            return receipt(contentType, fields: fields, files: [])
        case "multipart/form-data":
            return receipt(contentType, multipart: body)
        default:
            return refusal(.unsupportedMediaType, "The body must be a form, not \"\(contentType.value)\".")
        }
    }

    private func receipt(_ contentType: ParameterizedHeader, multipart body: Data) -> HTTPResponse {
        guard let boundary = contentType.parameters["boundary"], !boundary.isEmpty else {
            return refusal(.badRequest, "The Content-Type has no boundary.")
        }
        do {
            let parts = try MultipartForm(body, boundary: boundary).parts
            let fields = parts.filter { $0.filename == nil }.map {
                field(name: $0.name, value: String(decoding: $0.content, as: UTF8.self))
            }
            return receipt(contentType, fields: fields, files: parts.compactMap(file))
        } catch {
            return refusal(.badRequest, error.reason)
        }
    }

    private func receipt(_ contentType: ParameterizedHeader, fields: [JSON], files: [JSON]) -> HTTPResponse {
        HTTPResponse(
            .created,
            ["contentType": .string(contentType.value), "fields": .array(fields), "files": .array(files)]
        )
    }

    private func field(name: String, value: String) -> JSON {
        ["name": .string(name), "value": .string(value)]
    }

    private func file(_ part: MultipartForm.Part) -> JSON? {
        guard let filename = part.filename else { return nil }
        return [
            "name": .string(part.name),
            "filename": .string(filename),
            "contentType": .string(part.contentType),
            "size": .integer(part.content.count),
        ]
    }

    private func refusal(_ statusCode: HTTPStatusCode, _ reason: String) -> HTTPResponse {
        HTTPResponse(statusCode, ["error": .string(reason)])
    }
}
