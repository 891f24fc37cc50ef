// What a user meets, one thing after the other.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { until } from "./editor.mjs";
import { FILES } from "./project.mjs";

const BRANCH = "`loss > 1.0` is traced here";
const CLOCK = "`time.time()` is read once";
const PRINTED = "`loss` holds a traced value";

/** Waits until something is what it should be, and says what it is instead where it never is. */
async function becomes(ask, expected) {
  let seen;
  try {
    await until("", async () => JSON.stringify((seen = await ask())) === JSON.stringify(expected), 40_000);
  } catch {
    assert.deepEqual(seen, expected);
  }
}

/** The reports in the panel of problems: kind, beginning of the message, place. */
async function reports(editor) {
  return (await editor.problems())
    .map((row) => /^(Error|Warning|Info): (.*?(?:: |, )).* at line (\d+) and character (\d+)/s.exec(row))
    .filter(Boolean)
    .map(([, kind, message, line, column]) => `${kind} ${message.slice(0, -2)} ${line}:${column}`);
}

const ERRORS = [`Error ${BRANCH} 2:8`];
const WARNINGS = [`Warning ${CLOCK} 11:13`, `Warning ${PRINTED} 13:5`];

/** The row and column at which some text of a file begins. */
function place(name, text) {
  const before = FILES[name].slice(0, FILES[name].indexOf(text)).split("\n");
  return [before.length, before.at(-1).length + 1];
}

/** Opens a file that is as it was at first, alone. */
async function alone({ editor, project }, ...names) {
  await editor.closeAll();
  for (const name of names) {
    writeFileSync(join(project, name), FILES[name]);
    await editor.file(name);
  }
}

export const SCENARIOS = {
  async "problems, with their chain, across files"(state) {
    const { editor, picture } = state;
    await alone(state, "train.py", "steps.py");
    await editor.command("Problems: Focus on Problems View");
    await becomes(async () => (await editor.problems()).slice(1, 6).map((row) => row.replace(/\.? This problem.*/, "")), [
      `Error: ${BRANCH}: \`if\` needs a Python bool. Use \`jnp.where\` or \`jax.lax.cond\`. at line 2 and character 8`,
      "traced by jax.jit at line 9 and character 2 in train.py",
      "`clipped` is called at line 14 and character 19 in train.py",
      "`params` is a parameter of the traced function at line 10 and character 16 in train.py",
      "`loss` is traced at line 12 and character 5 in train.py",
    ]);
    await picture("problems");
    await editor.command("View: Toggle Maximized Panel");
    await becomes(() => reports(editor), [...ERRORS, ...WARNINGS]);
    await editor.command("View: Toggle Maximized Panel");
    await editor.command("View: Hide Panel");
  },

  async "squiggles below the right text, whatever stands before it"(state) {
    const { editor } = state;
    await alone(state, "norms.py");
    await becomes(() => editor.squiggles("error"), ["float(x)"]);
    await becomes(() => editor.squiggles("warning"), ['print("norm", x)']);
    await editor.line(1);
    await editor.press("F8");
    // The status bar counts a face as one column.
    await editor.cursor("Ln 7, Col 19");
    await editor.press("F8");
    await editor.cursor("Ln 6, Col 10");
    await editor.press("Escape");
  },

  async "unsaved text is linted, in other files too"(state) {
    const { editor } = state;
    await alone(state, "train.py", "steps.py");
    await becomes(() => editor.squiggles("error"), ["loss > 1.0"]);
    await editor.line(2, 8);
    await editor.press("Shift", "End");
    await editor.page.keyboard.type("loss.ndim > 1:");
    await becomes(() => editor.squiggles("error"), []);
    await editor.file("train.py");
    await editor.line(...place("train.py", "np.sin"));
    await editor.page.keyboard.type("loss > 0 and ");
    await becomes(() => editor.squiggles("error"), ["loss > 0"]);
    await editor.command("File: Revert File");
    await editor.file("steps.py");
    await editor.command("File: Revert File");
    await becomes(() => editor.squiggles("error"), ["loss > 1.0"]);
  },

  async "the rule's page when hovering"(state) {
    const { editor, picture } = state;
    await alone(state, "norms.py");
    await editor.page.mouse.move(...(await editor.wave("error")));
    const text = await until("the hover", async () => (await editor.texts(".monaco-hover:not(.hidden)")).join(""));
    assert.match(text, /`?x`? is traced here.*jitlint\(?JIT105/s);
    assert.match(text, /JIT105 python-conversion-of-traced-value.*Why/s);
    await picture("hover");
    await editor.page.mouse.move(5, 5);
  },

  async "a quick fix, and comments that silence"(state) {
    const { editor, picture, project } = state;
    await alone(state, "fixes.py");
    await becomes(() => editor.squiggles("error"), ["x[0]", "total > 0"]);
    await editor.line(...place("fixes.py", "x[0]"));
    await editor.press("Control", "Period");
    const rows = await until("the menu", async () => {
      const found = await editor.texts(".action-widget .monaco-list-row.action");
      return found.length > 0 && found;
    });
    await picture("quick-fix");
    assert.deepEqual(rows, [
      "Assign the updated copy: `x = x.at[...].set(...)` (may change what the code does)",
      "Silence JIT205 here with a # noqa comment",
      "Silence JIT205 in this file",
    ]);
    await editor.press("Enter");
    await until("the edit", async () => !(await editor.squiggles("error")).includes("x[0]"));
    await editor.save();
    assert.match(readFileSync(join(project, "fixes.py"), "utf8"), /x = x\.at\[0\]\.set\(low\)/);
  },

  async "all safe fixes, as on the command line"(state) {
    const { editor, project, python } = state;
    await alone(state, "fixes.py");
    await becomes(() => editor.squiggles("error"), ["x[0]", "total > 0"]);
    await editor.command("jitlint: Apply All Safe Fixes in This File");
    await becomes(() => editor.squiggles("warning"), []);
    await editor.save();
    const inEditor = readFileSync(join(project, "fixes.py"), "utf8");
    writeFileSync(join(project, "fixes.py"), FILES["fixes.py"]);
    const command = ["-P", "-m", "jitlint", "check", "--fix", "--exit-zero", "--no-cache", "--quiet", "fixes.py"];
    execFileSync(python, command, { cwd: project, stdio: "ignore" });
    assert.equal(inEditor, readFileSync(join(project, "fixes.py"), "utf8"));
    assert.notEqual(inEditor, FILES["fixes.py"]);
  },

  async "safe fixes on saving, just after typing"(state) {
    const { editor, project, settings } = state;
    settings({ ...state.basic, "editor.codeActionsOnSave": { "source.fixAll.jitlint": "explicit" } });
    await sleep(2000);
    await alone(state, "typed.py");
    await becomes(() => editor.squiggles("error"), ["x[0]", "total > 0"]);
    await editor.line(place("typed.py", "x[0]")[0] - 1);
    await editor.press("End");
    await editor.press("Enter");
    await editor.page.keyboard.type('print("total", total)');
    await editor.save();
    assert.match(readFileSync(join(project, "typed.py"), "utf8"), /^ {4}jax\.debug\.print\("total [^"]*", total\)$/m);
    settings(state.basic);
  },

  async "a notebook, with reports in its cells"(state) {
    const { editor, picture } = state;
    await alone(state, "half.ipynb");
    await becomes(() => editor.squiggles("error"), ["x > 0", "int(x)"]);
    await picture("notebook");
  },

  async "a Markdown page, once jitlint runs"(state) {
    const { editor } = state;
    await alone(state, "page.md");
    await becomes(() => editor.squiggles("error"), ["x > 0"]);
  },

  async "settings reach the server"(state) {
    const { editor, settings } = state;
    await alone(state, "train.py", "steps.py");
    await editor.command("Problems: Focus on Problems View");
    await editor.command("View: Toggle Maximized Panel");
    await becomes(() => reports(editor), [...ERRORS, ...WARNINGS]);
    for (const [chosen, expected] of [
      [{ "jitlint.select": ["JIT1"] }, ERRORS],
      [{ "jitlint.select": ["JIT1"], "jitlint.extendSelect": ["JIT201"] }, [...ERRORS, WARNINGS[1]]],
      [{ "jitlint.ignore": ["JIT2"] }, ERRORS],
      [{ "jitlint.minSeverity": "error" }, ERRORS],
      [{ "jitlint.configuration": "strict.toml" }, [WARNINGS[0]]],
      [{ "jitlint.configuration": "${workspaceFolder}/strict.toml" }, [WARNINGS[0]]],
      [{}, [...ERRORS, ...WARNINGS]],
    ]) {
      settings({ ...state.basic, ...chosen });
      await becomes(() => reports(editor), expected);
    }
    settings({ ...state.basic, "jitlint.select": ["JIT9999"] });
    await until("a word on a wrong code", async () => (await editor.notices()).some((text) => text.includes("JIT9999")));
    settings(state.basic);
    await editor.command("Notifications: Clear All Notifications");
    await editor.command("View: Toggle Maximized Panel");
  },

  async "lintOnChange off: what is saved counts"(state) {
    const { editor, settings } = state;
    settings({ ...state.basic, "jitlint.lintOnChange": false });
    await alone(state, "train.py");
    await becomes(() => editor.squiggles("warning"), ["time.time()", 'print("loss", loss)']);
    await editor.line(12);
    await editor.press("End");
    await editor.press("Enter");
    await editor.page.keyboard.type("print(jnp.sum(loss))");
    // Typed text moves what is drawn and changes nothing else, however long one waits.
    await sleep(3000);
    assert.deepEqual(await editor.squiggles("warning"), ["time.time()", 'print("loss", loss)']);
    await editor.save();
    await becomes(() => editor.squiggles("warning"), ["time.time()", "print(jnp.sum(loss))", 'print("loss", loss)']);
    settings(state.basic);
  },

  async "a rule is explained, the one at the cursor first"(state) {
    const { editor, picture } = state;
    await alone(state, "steps.py");
    await editor.file("train.py");
    await editor.file("steps.py");
    await becomes(() => editor.squiggles("error"), ["loss > 1.0"]);
    await editor.line(2, 9);
    await editor.press("F1");
    await editor.choose("jitlint: Explain Rule", "jitlint: Explain Rule");
    await until("the rules", async () => (await editor.choices())[0] === "JIT101branch-on-traced-value (reported here)" || (await editor.choices())[0] === "JIT101");
    await editor.press("Enter");
    await until("the page", async () => (await editor.texts(".tab.active .label-name")).some((text) => text.includes("JIT101")));
    await sleep(2000);
    await picture("explain");
  },

  async "the status item says which jitlint runs"(state) {
    const { editor } = state;
    await alone(state, "train.py");
    await editor.page.click("#status\\.languageStatus");
    const text = await until("the status", async () => {
      const found = (await editor.texts(".hover-language-status")).find((item) => item.includes("jitlint"));
      return found?.includes("selected interpreter") && found;
    });
    assert.match(text, /jitlint \d+\.\d+\.\d+/);
    await editor.press("Escape");
  },

  async "the output, the trace, and a new start"(state) {
    const { editor, settings } = state;
    await alone(state, "train.py");
    settings({ ...state.basic, "jitlint.trace.server": "messages" });
    const output = async () => (await editor.texts(".panel .view-line")).join("");
    await editor.command("jitlint: Show Output");
    await until("the output", output);
    await editor.command("jitlint: Restart Server");
    await until("the trace in the output", async () => (await output()).includes("textDocument/"));
    settings(state.basic);
    await becomes(() => editor.squiggles("warning"), ["time.time()", 'print("loss", loss)']);
  },

  async "a file is verified in a terminal, after a question"(state) {
    const { editor, picture } = state;
    await alone(state, "norms.py");
    await editor.command("jitlint: Verify This File (Runs Its Code)");
    await until("the question", async () => (await editor.texts(".monaco-dialog-box")).some((text) => text.includes("Run the code of norms.py?")));
    await picture("verify-question");
    await editor.press("Escape");
    await sleep(1000);
    assert.equal(await editor.page.$(".terminal-wrapper.active"), null);
    await editor.command("jitlint: Verify This File (Runs Its Code)");
    await until("the question", async () => (await editor.texts(".monaco-dialog-box")).length > 0);
    await editor.press("Enter");
    await until("the verdict", async () => /JIT105.*confirmed|confirmed.*JIT105/s.test(await editor.terminal()), 120_000);
    await picture("verify");
    await editor.command("Terminal: Kill the Active Terminal Instance");
  },

  async "where there is no jitlint it says how to install it"(state) {
    const { editor, picture, project, python, settings } = state;
    settings({ "standIn.interpreter": "/usr/bin/true" });
    await until("the notice", async () =>
      (await editor.notices()).some((text) => text.includes("python -m pip install 'jitlint[lsp]'")),
    );
    await picture("not-found");
    await editor.command("Notifications: Clear All Notifications");
    await alone(state, "train.py");
    await becomes(() => editor.squiggles("warning"), []);
    const command = join(project, "my jitlint");
    writeFileSync(command, `#!/bin/sh\nexec '${python}' -P -m jitlint "$@"\n`);
    chmodSync(command, 0o755);
    for (const chosen of [
      { "jitlint.path": ["/nowhere/jitlint", "${workspaceFolder}/my jitlint"] },
      { "jitlint.interpreter": [python] },
    ]) {
      settings({ "standIn.interpreter": "/usr/bin/true", ...chosen });
      await becomes(() => editor.squiggles("warning"), ["time.time()", 'print("loss", loss)']);
      settings({ "standIn.interpreter": "/usr/bin/true" });
      await becomes(() => editor.squiggles("warning"), []);
      await editor.command("Notifications: Clear All Notifications");
    }
    settings(state.basic);
    await becomes(() => editor.squiggles("warning"), ["time.time()", 'print("loss", loss)']);
  },

  async "a jitlint without its language server says what is missing"(state) {
    const { editor, project, settings } = state;
    const command = join(project, "bare");
    writeFileSync(command, "#!/bin/sh\necho \"jitlint: the language server needs pygls: pip install 'jitlint[lsp]'\" >&2\nexit 2\n");
    chmodSync(command, 0o755);
    settings({ ...state.basic, "jitlint.path": [command] });
    await until("the notice", async () => (await editor.notices()).some((text) => text.includes("needs pygls")));
    assert.equal((await editor.notices()).length, 1, JSON.stringify(await editor.notices()));
    settings(state.basic);
    await editor.command("Notifications: Clear All Notifications");
  },
};
