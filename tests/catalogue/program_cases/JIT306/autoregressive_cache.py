import decoder

from tools.harm import compiled

HOSTILE = {}
SILENT = {"position": lambda: compiled(decoder.Decoder().generate, "step") == 4}
