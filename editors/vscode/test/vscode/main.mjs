// Drives a real VS Code: builds nothing, installs dist/jitlint.vsix into a code-server of its own, opens a
// project in headless Chromium, and does what a user does. Needs, by environment variables:
//   CODE_SERVER    the folder of the npm package code-server, built (CONTRIBUTING.md says how)
//   JITLINT_PYTHON a Python that has jitlint with its extras lsp and verify
//   CHROMIUM       a Chromium, if not /usr/bin/chromium
//   PICTURES       a folder for screenshots, if they are wanted
//   ONLY           parts of the names of the scenarios to run, separated by |, if not all
// Where something is missing it says so and ends with 77.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import puppeteer from "puppeteer-core";

import { Editor } from "./editor.mjs";
import { writeProject } from "./project.mjs";
import { SCENARIOS } from "./scenarios.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SKIPPED = 77;

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(SKIPPED);
}

const entry = join(process.env.CODE_SERVER ?? skip("CODE_SERVER names no code-server"), "out/node/entry.js");
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const python = process.env.JITLINT_PYTHON ?? skip("JITLINT_PYTHON names no Python");
const extension = join(ROOT, "dist/jitlint.vsix");
for (const needed of [entry, chromium, python, extension]) {
  if (!existsSync(needed)) {
    skip(`there is no ${needed}`);
  }
}

const scratch = mkdtempSync(join(tmpdir(), "jitlint-vscode-"));
const project = join(scratch, "project");
const user = join(scratch, "user");
writeProject(project);
mkdirSync(join(user, "User"), { recursive: true });
writeFileSync(
  join(user, "User/settings.json"),
  JSON.stringify({
    "breadcrumbs.enabled": false,
    "chat.commandCenter.enabled": false,
    "editor.fontFamily": "DejaVu Sans Mono, monospace",
    "editor.hover.delay": 100,
    "editor.minimap.enabled": false,
    "editor.stickyScroll.enabled": false,
    "files.autoSave": "off",
    "security.workspace.trust.enabled": false,
    "telemetry.telemetryLevel": "off",
    "terminal.integrated.gpuAcceleration": "off",
    "window.autoDetectColorScheme": false,
    "workbench.colorTheme": "Default Light Modern",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
  }),
);
const places = ["--extensions-dir", join(scratch, "extensions"), "--user-data-dir", user];
const environment = { ...process.env, PATH: "/usr/bin:/bin" };
const standIn = join(scratch, "python.vsix");
const vsce = spawnSync(
  process.execPath,
  [join(ROOT, "node_modules/@vscode/vsce/vsce"), "package", "--allow-missing-repository", "--skip-license", "--out", standIn],
  { cwd: join(ROOT, "test/vscode/python-stand-in"), encoding: "utf8" },
);
if (vsce.status !== 0) {
  throw new Error(vsce.stderr);
}
for (const vsix of [extension, standIn]) {
  const done = spawnSync(process.execPath, [entry, ...places, "--install-extension", vsix], {
    env: environment,
    encoding: "utf8",
  });
  if (done.status !== 0) {
    throw new Error(done.stdout + done.stderr);
  }
}

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port: free } = server.address();
    server.close(() => resolve(free));
  });
});
const code = spawn(
  process.execPath,
  [entry, ...places, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry",
    "--disable-update-check", "--disable-workspace-trust", "--disable-getting-started-override", project],
  { env: environment, stdio: "ignore", detached: true },
);
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--force-device-scale-factor=1"],
  defaultViewport: { width: 1100, height: 700 },
});

let failed = 0;
try {
  const address = `http://127.0.0.1:${port}/?folder=${project}`;
  for (let attempt = 0; attempt < 60; attempt += 1) {
    if (await fetch(address).then((answer) => answer.ok, () => false)) {
      break;
    }
    await sleep(500);
  }
  const [page] = await browser.pages();
  const context = browser.defaultBrowserContext();
  await context.overridePermissions(`http://127.0.0.1:${port}`, ["clipboard-read", "clipboard-write"]);
  const editor = new Editor(page);
  const pictures = process.env.PICTURES;
  const state = {
    editor,
    project,
    python,
    basic: { "standIn.interpreter": python },
    /** Takes a picture where pictures are wanted. */
    picture: async (name) => {
      if (pictures !== undefined) {
        await editor.picture(join(pictures, `${name}.png`));
      }
    },
    /** Settings of the folder: they hold from the next moment on. */
    settings: (chosen) => {
      writeFileSync(join(project, ".vscode/settings.json"), JSON.stringify(chosen));
    },
  };
  state.settings(state.basic);
  await editor.open(address);
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    if (!(process.env.ONLY ?? "").split("|").some((part) => name.includes(part))) {
      continue;
    }
    const begin = Date.now();
    try {
      await scenario(state);
      console.log(`ok      ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${error.stack}`);
      await editor.picture(join(pictures ?? scratch, `failed-${failed}.png`));
      await editor.press("Escape");
      await editor.press("Escape");
    }
  }
} finally {
  await browser.close();
  process.kill(-code.pid);
  if (failed === 0) {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  } else {
    console.log(`left: ${scratch}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
