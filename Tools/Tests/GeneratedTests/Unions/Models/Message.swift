import APIKit

enum Message: String, ParameterValue { case message }
