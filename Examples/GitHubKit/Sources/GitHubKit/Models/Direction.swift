public import APIKit

/// A direction.
public enum Direction: String, ParameterValue { case asc, desc }
