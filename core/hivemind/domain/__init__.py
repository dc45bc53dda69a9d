"""The words of the field as frozen dataclasses, enums and protocols. Depends on nothing but errors and clock."""
