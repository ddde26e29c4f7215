// expect: switch covers known cases, but 'ContentError' may have additional unknown values
import APIKit

func text(for error: ContentError) -> String {
    switch error {
    case .unexpectedType, .unsupportedCharset, .invalidText: "The body is of another kind."
    case .unreadableElement(let number, _, _): "Element \(number) cannot be read."
    #if !FAIL
    @unknown default: "The body cannot be read."
    #endif
    }
}
