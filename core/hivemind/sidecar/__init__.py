"""The command line: parse, call one service, render. JSON for programs, plain lines for people."""
