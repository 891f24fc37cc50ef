import * as path from "node:path";

import * as vscode from "vscode";

import { selectedInterpreter } from "./python";
import { Server } from "./server";
import { mainFolder, places } from "./settings";
import type { Status } from "./status";
import { findTool, isSame, type Tool } from "./tool";

const INSTALL = "python -m pip install 'jitlint[lsp]'";

/** Has one server run, with the jitlint that is found; starts and stops follow each other. */
export class Service {
  private server: Server | undefined;
  private found: Tool | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly output: vscode.LogOutputChannel,
    private readonly status: Status,
  ) {}

  /** The jitlint in use. */
  get tool(): Tool | undefined {
    return this.found;
  }

  /** Starts the server anew. */
  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.halt();
      await this.launch(await this.find());
    });
  }

  /** Starts the server anew where another jitlint is to be used than before. */
  refresh(): Promise<void> {
    return this.enqueue(async () => {
      const tool = await this.find();
      if (this.server === undefined || !isSame(tool, this.found)) {
        await this.halt();
        await this.launch(tool);
      }
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.halt());
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    this.last = this.last.then(step).catch((error: unknown) => {
      this.fail(error instanceof Error ? error.message : String(error));
    });
    return this.last;
  }

  private async find(): Promise<Tool | undefined> {
    const folder = mainFolder();
    const { tool, misses } = await findTool({
      ...places(folder),
      selected: await selectedInterpreter(folder),
      folder: folder?.uri.fsPath,
      searchPath: (process.env.PATH ?? "").split(path.delimiter).filter(Boolean),
    });
    for (const miss of misses) {
      this.output.info(miss);
    }
    return tool;
  }

  private async launch(tool: Tool | undefined): Promise<void> {
    this.found = tool;
    if (tool === undefined) {
      this.fail(`jitlint was not found. Install it where your project runs: ${INSTALL}`);
      return;
    }
    this.output.info(`${tool.origin}: ${[tool.command, ...tool.args].join(" ")}`);
    this.status.starting();
    this.server = new Server(tool, this.output, (reason) => {
      this.fail(reason);
    });
    try {
      await this.server.start();
    } catch (error) {
      await this.halt();
      throw error;
    }
    this.status.running(this.server.version, `${tool.command} (${tool.origin})`);
  }

  private async halt(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    await server?.stop();
  }

  /** Says what is wrong, and what can be done about it; does not wait for an answer. */
  private fail(why: string): void {
    this.output.error(why);
    this.status.failed(why);
    const actions = {
      "Copy Install Command": () => vscode.env.clipboard.writeText(INSTALL),
      "Open Settings": () => vscode.commands.executeCommand("workbench.action.openSettings", "jitlint"),
      "Show Output": () => {
        this.output.show();
      },
    };
    const names = Object.keys(actions) as (keyof typeof actions)[];
    void vscode.window.showErrorMessage(why, ...names).then((name) => name && actions[name]());
  }
}
