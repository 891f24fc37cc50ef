import * as vscode from "vscode";

import { onInterpreterChange } from "./python";
import { RULE_SCHEME, RulePages } from "./rulePages";
import { Service } from "./service";
import { Status } from "./status";
import { verifyFile } from "./verify";

let service: Service | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("jitlint", { log: true });
  const status = new Status();
  const running = (service = new Service(output, status));
  const pages = new RulePages(() => running.tool);
  const commands: Record<string, () => unknown> = {
    "jitlint.restart": () => running.restart(),
    "jitlint.showOutput": () => {
      output.show();
    },
    "jitlint.fixAll": () =>
      vscode.commands.executeCommand("editor.action.codeAction", {
        kind: "source.fixAll.jitlint",
        apply: "first",
      }),
    "jitlint.explainRule": () => pages.choose(),
    "jitlint.verifyFile": () => verifyFile(running.tool),
  };
  context.subscriptions.push(
    output,
    status,
    vscode.workspace.registerTextDocumentContentProvider(RULE_SCHEME, pages),
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (["jitlint.path", "jitlint.interpreter"].some((name) => change.affectsConfiguration(name))) {
        void running.refresh();
      }
    }),
  );
  await running.refresh();
  const watching = await onInterpreterChange(() => void running.refresh());
  if (watching !== undefined) {
    context.subscriptions.push(watching);
  }
}

export function deactivate(): Promise<void> | undefined {
  return service?.stop();
}
