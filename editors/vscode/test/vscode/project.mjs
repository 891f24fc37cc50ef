// The project that the test opens, and where each report on it stands.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const TRAIN = `\
import time

import jax
import jax.numpy as jnp
import numpy as np
from steps import clipped


@jax.jit
def train_step(params, batch):
    start = time.time()
    loss = jnp.mean((params - batch) ** 2)
    print("loss", loss)
    return np.sin(clipped(loss)), start
`;

const STEPS = `\
def clipped(loss):
    if loss > 1.0:
        return 1.0
    return loss
`;

// The columns behind the faces differ in bytes, in UTF-16 and in characters.
const NORMS = `\
import jax


@jax.jit
def norm(x):
    "😀"; print("norm", x)
    s = "é😀"; y = float(x)  # 😀
    return y
`;

const FIXES = `\
import jax


@jax.jit
def scaled(x, low):
    total = x.sum()
    print("total", total)
    x[0] = low
    if total > 0:
        return x
    return -x
`;

const PAGE = `\
# A page

\`\`\`python
import jax

@jax.jit
def half(x):
    return x / 2 if x > 0 else x
\`\`\`
`;

const TYPED = FIXES.replace('    print("total", total)\n', "");

const CELLS = [
  ["markdown", "# A notebook"],
  ["code", "import jax\n\n@jax.jit\ndef half(x):\n    if x > 0:\n        return x / 2\n    return x"],
  ["code", '@jax.jit\ndef whole(x):\n    s = "😀"; return int(x)'],
];

const NOTEBOOK = {
  cells: CELLS.map(([cell_type, source], index) => ({
    cell_type,
    id: `cell-${index}`,
    metadata: {},
    source,
    ...(cell_type === "code" ? { execution_count: null, outputs: [] } : {}),
  })),
  metadata: {
    kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
    language_info: { name: "python" },
  },
  nbformat: 4,
  nbformat_minor: 5,
};

export const FILES = {
  "pyproject.toml": "",
  "train.py": TRAIN,
  "steps.py": STEPS,
  "norms.py": NORMS,
  "fixes.py": FIXES,
  "typed.py": TYPED,
  "strict.toml": 'select = ["JIT207"]\n',
  "page.md": PAGE,
  "half.ipynb": JSON.stringify(NOTEBOOK, null, 1),
};

/** Writes the project into a folder. */
export function writeProject(folder) {
  mkdirSync(join(folder, ".vscode"), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) {
    writeFileSync(join(folder, name), text);
  }
}
