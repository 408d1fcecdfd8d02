"""What schemathesis is told beside the document."""

import schemathesis


def as_integers(value):
    """JSON Schema takes 3.0 for an integer; the service takes whole numbers without a point alone, so that none went through a float."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [as_integers(part) for part in value]
    if isinstance(value, dict):
        return {name: as_integers(part) for name, part in value.items()}
    return value


@schemathesis.hook
def map_body(context, body):
    return as_integers(body)
