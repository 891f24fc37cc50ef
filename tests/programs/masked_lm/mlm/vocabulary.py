"""A word vocabulary; text never leaves the host."""


class Vocabulary:
    def __init__(self, sentences, reserved=("<pad>", "<mask>")):
        words = sorted({word for sentence in sentences for word in sentence.split()})
        self.words = [*reserved, *words]
        self.index = {word: i for i, word in enumerate(self.words)}

    def __len__(self):
        return len(self.words)

    def encode(self, sentence, length):
        ids = [self.index.get(word, 0) for word in sentence.split()][:length]
        if len(ids) < length:
            ids += [0] * (length - len(ids))
        return ids

    def decode(self, ids):
        return " ".join(self.words[i] for i in ids if i != 0)

    def is_rare(self, token):
        return len(self.words[token]) > 6  # expect: JIT107 @rare
