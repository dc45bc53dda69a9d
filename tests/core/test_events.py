"""The hub tells every listener, and stops when asked."""

from __future__ import annotations

from hivemind.events import Area, EventHub, MindChanged


def test_listeners_hear_until_they_leave():
    hub, heard = EventHub(), []
    leave = hub.subscribe(heard.append)
    other = []
    hub.subscribe(other.append)
    event = MindChanged("personal", frozenset({Area.FRAMES}))
    hub.publish(event)
    leave()
    leave()
    hub.publish(event)
    assert (heard, other) == ([event], [event, event])


def test_a_listener_may_leave_while_it_is_told():
    hub, heard = EventHub(), []

    def once(event: object) -> None:
        heard.append(event)
        leave()

    leave = hub.subscribe(once)
    event = MindChanged("a", frozenset())
    hub.publish(event)
    hub.publish(event)
    assert heard == [event]
