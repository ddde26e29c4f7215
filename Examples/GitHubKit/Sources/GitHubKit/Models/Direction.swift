public import APIKit

public enum Direction: String, ParameterValue { case asc, desc }
