// Prints the status and the body of a page. Tests/StaticProgram/run links it statically.
import APIKitCore
import APIKitCurl
import FoundationEssentials

guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else { fatalError("which page?") }
let client = CurlClient()
do {
    let response = try await client.perform(HTTPRequest(url: url))
    print(response.head.status, String(decoding: response.body.data ?? Data(), as: UTF8.self))
} catch {
    print(error)
}
