public import APIKit

public enum StateFilter: String, ParameterValue { case open, closed, all }
