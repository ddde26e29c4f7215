import APIKit

// The code of the article about engines that the engine over async-http-client does not contain, unchanged.
// Scripts/texts compares the two.

func report(_ head: HTTPResponse.Head, _ body: Data, to exchange: Exchange) {
    exchange.finish(with: head, body: body)
}
