import generate

from tools.harm import compiled

HOSTILE = {}
SILENT = {
    "tokens": lambda: compiled(lambda: generate.generate([1, 2]), "logits") == 4,
    "list": lambda: compiled(lambda: generate.generate_list([1, 2]), "logits") == 4,
    "history": lambda: compiled(generate.monitor, "perplexity") == 3,
}
