"""Says which lines on standard input a JSON schema refuses:

    judge-jsonschema.py SCHEMA < rows

prints the number of each. What stands in several lines is judged once."""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
judged = {}
for number, line in enumerate(sys.stdin.buffer, 1):
    if line not in judged:
        judged[line] = validator.is_valid(json.loads(line))
    if not judged[line]:
        print(number)
