"""The Qt app: widgets, item models, signals. It holds no SQL and no rules; those are in the engine."""
