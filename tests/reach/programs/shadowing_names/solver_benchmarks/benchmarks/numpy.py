"""python benchmarks/numpy.py: the same for NumPy."""


def log(message):
    print("numpy:", message)


if __name__ == "__main__":
    log("not measured yet")
