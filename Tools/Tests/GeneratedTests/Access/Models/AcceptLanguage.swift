import APIKit

enum AcceptLanguage: String, ParameterValue { case en, de }
