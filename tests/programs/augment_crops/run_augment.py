import jax
from augment import Config, augment_batch, evaluation_batch, make_train_augment


def main():
    images = jax.random.uniform(jax.random.key(1), (4, 12, 12, 3))
    for style in ("crop", "rows", "shift", "roll"):
        for grey in (0.0, 0.2):
            augment = make_train_augment(Config(style=style, grey=grey, gamma=(0.8, 1.2)))
            print(style, augment(jax.random.key(0), images).shape)
    print(augment_batch(jax.random.key(0), images).mean())
    print(evaluation_batch(images, 8).shape)


if __name__ == "__main__":
    main()
