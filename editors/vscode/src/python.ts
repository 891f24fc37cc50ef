import { PVSC_EXTENSION_ID, PythonExtension } from "@vscode/python-extension";
import * as vscode from "vscode";

/** The interpreter that is selected for a folder, where the Python extension is there. */
export async function selectedInterpreter(
  folder: vscode.WorkspaceFolder | undefined,
): Promise<string | undefined> {
  const api = await pythonApi();
  if (api === undefined) {
    return undefined;
  }
  const chosen = api.environments.getActiveEnvironmentPath(folder?.uri);
  const environment = await api.environments.resolveEnvironment(chosen);
  return environment?.executable.uri?.fsPath;
}

/** Tells when another interpreter is selected. */
export async function onInterpreterChange(changed: () => void): Promise<vscode.Disposable | undefined> {
  const api = await pythonApi();
  return api?.environments.onDidChangeActiveEnvironmentPath(changed);
}

async function pythonApi(): Promise<PythonExtension | undefined> {
  return vscode.extensions.getExtension(PVSC_EXTENSION_ID) === undefined
    ? undefined
    : PythonExtension.api();
}
