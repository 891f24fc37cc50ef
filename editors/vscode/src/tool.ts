import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import * as path from "node:path";

/** How to run jitlint. */
export interface Tool {
  readonly command: string;
  readonly args: readonly string[];
  /** Where it was found, in words. */
  readonly origin: string;
}

/** Where to look for it. */
export interface Search {
  /** Paths of `jitlint` commands that the user named. */
  readonly path: readonly string[];
  /** Paths of interpreters that the user named. */
  readonly interpreter: readonly string[];
  /** The interpreter that is selected in the Python extension. */
  readonly selected: string | undefined;
  /** What relative paths are relative to. */
  readonly folder: string | undefined;
  /** The folders of the `PATH`. */
  readonly searchPath: readonly string[];
}

/** What came of a search. */
export interface Found {
  readonly tool: Tool | undefined;
  /** One line for each place that was looked at in vain. */
  readonly misses: readonly string[];
}

/** What an interpreter says of itself. */
export interface Interpreter {
  readonly version: string;
  readonly hasJitlint: boolean;
}

/** Asks an interpreter. Rejects where it does not run. */
export type Ask = (interpreter: string) => Promise<Interpreter>;

/** Names of the command in a folder of the `PATH`. */
const NAMES = process.platform === "win32" ? ["jitlint.exe", "jitlint.cmd"] : ["jitlint"];

/**
 * Has `-m` search no module in the working directory, where a project may have an `ast.py` of its own.
 * Python has it from 3.11 on, which jitlint needs anyway.
 */
const AS_MODULE = ["-P", "-m", "jitlint"];

const QUESTION = `import sys
sys.path = [entry for entry in sys.path if entry]
import importlib.util
print(sys.version.split()[0], importlib.util.find_spec("jitlint") is not None)`;

/** Finds jitlint: where the user says, else in the environment of an interpreter, else on the `PATH`. */
export async function findTool(search: Search, ask: Ask = askInterpreter): Promise<Found> {
  const misses: string[] = [];
  const resolved = (name: string): string => path.resolve(search.folder ?? "", name);
  for (const name of search.path.map(resolved)) {
    if (await isFile(name)) {
      return { tool: { command: name, args: [], origin: "jitlint.path" }, misses };
    }
    misses.push(`jitlint.path: there is no file ${name}`);
  }
  const candidates = search.interpreter.map((name) => ["jitlint.interpreter", resolved(name)] as const);
  for (const [origin, name] of candidates.length > 0
    ? candidates
    : search.selected === undefined
      ? []
      : [["selected interpreter", search.selected] as const]) {
    if (!(await isFile(name))) {
      misses.push(`${origin}: there is no file ${name}`);
      continue;
    }
    try {
      const { version, hasJitlint } = await ask(name);
      if (hasJitlint) {
        return { tool: { command: name, args: AS_MODULE, origin }, misses };
      }
      misses.push(`${origin}: ${name} (Python ${version}) has no jitlint`);
    } catch (error) {
      misses.push(`${origin}: ${name} does not run: ${reason(error)}`);
    }
    break;
  }
  for (const folder of search.searchPath) {
    for (const name of NAMES.map((name) => path.join(folder, name))) {
      if (await isFile(name)) {
        return { tool: { command: name, args: [], origin: "PATH" }, misses };
      }
    }
  }
  misses.push("PATH: no folder on it has jitlint");
  return { tool: undefined, misses };
}

/** Whether two tools run the same. */
export function isSame(one: Tool | undefined, other: Tool | undefined): boolean {
  return one?.command === other?.command && one?.args.join("\0") === other?.args.join("\0");
}

/** Runs jitlint to its end and gives what it prints. */
export function runTool(tool: Tool, args: readonly string[]): Promise<string> {
  return output(tool.command, [...tool.args, ...args]);
}

async function askInterpreter(interpreter: string): Promise<Interpreter> {
  const [version, found] = (await output(interpreter, ["-c", QUESTION])).trim().split(" ");
  if (version === undefined || found === undefined) {
    throw new Error("it is no Python");
  }
  return { version, hasJitlint: found === "True" };
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: 30_000, windowsHide: true, maxBuffer: 1 << 24 };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
      } else {
        reject(new Error(stderr.trim() || error.message));
      }
    });
  });
}

async function isFile(name: string): Promise<boolean> {
  try {
    return (await stat(name)).isFile();
  } catch {
    return false;
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
