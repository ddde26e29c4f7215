public import APIKit

/// A state filter.
public enum StateFilter: String, ParameterValue { case open, closed, all }
