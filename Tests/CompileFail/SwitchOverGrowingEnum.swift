// expect: switch covers known cases, but 'ParameterStyle.Dates' may have additional unknown values
import APIKit

func text(for dates: ParameterStyle.Dates) -> String {
    switch dates {
    case .iso8601, .iso8601WithFractionalSeconds, .dateOnly, .httpDate: "text"
    case .secondsSince1970, .millisecondsSince1970: "a number"
    #if !FAIL
    @unknown default: "otherwise"
    #endif
    }
}
