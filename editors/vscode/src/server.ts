import { type ChildProcess, spawn } from "node:child_process";
import * as os from "node:os";
import { setTimeout } from "node:timers/promises";

import * as vscode from "vscode";
import {
  CloseAction,
  type ConfigurationParams,
  DiagnosticPullMode,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
} from "vscode-languageclient/node";

import { lintsOnChange, mainFolder, SECTION, serverSettings } from "./settings";
import type { Tool } from "./tool";

/** What jitlint lints. */
export const SELECTOR = [
  ...["file", "untitled", "vscode-notebook-cell"].map((scheme) => ({ scheme, language: "python" })),
  ...["markdown", "restructuredtext"].map((language) => ({ scheme: "file", language })),
];

/** The exit code of jitlint where it cannot do what it is asked, however often. */
const USAGE_ERROR = 2;

/** A client that shows no errors of its own while its server starts: who starts it tells them. */
class Client extends LanguageClient {
  quiet = true;

  override error(message: string, data?: unknown, show?: boolean | "force"): void {
    super.error(message, data, this.quiet ? false : show);
  }
}

/** A language server, and the client that talks to it. */
export class Server {
  private readonly client: Client;
  private process: ChildProcess | undefined;
  private ended: Promise<number | null> | undefined;
  private said = "";

  constructor(
    private readonly tool: Tool,
    output: vscode.LogOutputChannel,
    stopped: (reason: string) => void,
  ) {
    const options: LanguageClientOptions = {
      documentSelector: SELECTOR,
      outputChannel: output,
      // A refused start is told by who started it.
      initializationFailedHandler: () => false,
      diagnosticPullOptions: {
        onChange: true,
        onSave: true,
        filter: (document, mode) => mode === DiagnosticPullMode.onType && !lintsOnChange(document),
      },
      middleware: {
        workspace: {
          configuration: (asked, token, next) =>
            isOurs(asked)
              ? asked.items.map((item) =>
                  serverSettings(item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri)),
                )
              : next(asked, token),
        },
      },
      errorHandler: {
        error: (error, message, count) => handler().error(error, message, count),
        closed: async () => {
          // Its streams end before it does.
          const code = await Promise.race([this.ended, setTimeout(1000)]);
          if (!this.client.quiet && code !== USAGE_ERROR) {
            return handler().closed();
          }
          if (!this.client.quiet) {
            stopped(this.said);
          }
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    };
    this.client = new Client(SECTION, "jitlint", () => this.spawn(), options);
    let usual: ErrorHandler | undefined;
    const handler = (): ErrorHandler => (usual ??= this.client.createDefaultErrorHandler());
  }

  /** Starts it; rejects with what it says where it does not start. */
  async start(): Promise<void> {
    try {
      await this.client.start();
      this.client.quiet = false;
    } catch (error) {
      await Promise.race([this.ended, setTimeout(1000)]);
      throw new Error(this.said.trim() || (error instanceof Error ? error.message : String(error)));
    }
  }

  /** The version of jitlint that runs. */
  get version(): string | undefined {
    return this.client.initializeResult?.serverInfo?.version;
  }

  async stop(): Promise<void> {
    try {
      await this.client.dispose();
    } catch {
      // It has gone already, or does not answer.
    }
    this.process?.kill();
  }

  private async spawn(): Promise<ChildProcess> {
    const child = spawn(this.tool.command, [...this.tool.args, "server"], {
      cwd: mainFolder()?.uri.fsPath ?? os.homedir(),
      windowsHide: true,
    });
    this.process = child;
    this.ended = new Promise((resolve) => child.once("close", resolve));
    this.said = "";
    child.stderr.on("data", (data: Buffer) => {
      this.said = (this.said + data.toString()).slice(-2000);
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    return child;
  }
}

function isOurs(asked: ConfigurationParams): boolean {
  return asked.items.every((item) => item.section === SECTION);
}
