// Finds venues, with an API that wraps every response in an envelope and requires a token.
//
//     swift run --package-path Examples foursquare-venues                  (refused with a 401)
//     swift run --package-path Examples foursquare-venues --token wrong    (refused under a 200)
//     swift run --package-path Examples foursquare-venues --token demo
//     swift run --package-path Examples foursquare-venues --token demo --record venues.har
//     swift run --package-path Examples foursquare-venues --token demo --replay venues.har
//
// It uses a server of its own that imitates Foursquare's.

import APIKit
import ArgumentParser
import EmbeddedServer
import ExampleSupport

@main
struct FoursquareVenues: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "foursquare-venues",
        abstract: "Finds venues near a place."
    )

    @Option(help: "The token to send; the server accepts \"demo\".")
    var token: String?

    @Option(help: "The place to search.")
    var near = "New York, NY"

    @Option(help: "The text to search for, such as \"coffee\".")
    var query: String?

    @Flag(help: "Print requests and responses, with secrets masked.")
    var verbose = false

    @OptionGroup var recordable: Recordable

    func run() async throws {
        let session: any APIClient = verbose ? Verbose(URLSession.api) : URLSession.api
        try await recordable.run(.foursquare, over: session, path: "v2", show)
    }

    private func show(on client: any APIClient) async throws {
        do {
            let venues = try await client.send(VenuesRequest(token: token, near: near, what: query)).venues
            if venues.isEmpty { print("nothing found near \(near)") }
            for venue in venues {
                let place = [venue.location.address, venue.location.city].compactMap(\.self).joined(separator: ", ")
                let kind = venue.categories.first.map { " (\($0.name))" } ?? ""
                print("\(venue.name)\(kind): \(place)")
            }
        } catch APIError<FoursquareError>.rejected(let error?, let response) {
            printError("refused: \(error.type), code \(error.code), under status \(response.head.status)")
            printError(error.detail ?? "no details")
            throw ExitCode.failure
        }
    }
}
