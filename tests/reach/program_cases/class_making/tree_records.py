import orbits as m

HOSTILE = {
    "describe": lambda: m.label(m.make(m.Comet)),
    "hypot": lambda: m.evaporate(m.make(m.Comet)),
    "speed": lambda: m.drift(m.make(), 0.1),
}
EXPECT = {
    "describe": ("TypeError",),
    "hypot": ("TracerArrayConversionError",),
    "speed": ("TracerBoolConversionError",),
}
INNOCENT = [lambda: m.named_speed(m.make(name="sun")), lambda: m.make().describe()]
