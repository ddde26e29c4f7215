public import APIKit

/// A state filter.
public enum StateFilter: String, ParameterValue { case all, closed, open }
