public import APIKit

/// Direction.
public enum Direction: String, ParameterValue {
    /// `asc`
    case asc
    /// `desc`
    case desc
}
