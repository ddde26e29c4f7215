public import APIKit

/// StateFilter.
public enum StateFilter: String, ParameterValue {
    /// `all`
    case all
    /// `closed`
    case closed
    /// `open`
    case open
}
