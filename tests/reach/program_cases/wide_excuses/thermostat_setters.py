import thermostats as m

from tools.observation import is_tracer


def after(cls, name, action="step", *arguments):
    controller = cls()
    getattr(m.Room(controller), action)(*arguments or (20.0, 21.0))
    return getattr(controller, name)


def changes():
    controller = m.Counting()
    room = m.Room(controller)
    for target in (20.0, 21.0, 22.0):
        room.step(19.0, target)
    return controller.changes == 1


HOSTILE = {}
SILENT = {
    "gain": lambda: is_tracer(after(m.Adaptive, "gain")),
    "output": lambda: is_tracer(after(m.Remembering, "output")),
    "changes": changes,
    "tuned": lambda: is_tracer(after(m.Controller, "gain", "tune", 2.0)),
}
