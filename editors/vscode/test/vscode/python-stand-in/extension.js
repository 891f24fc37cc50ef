// The interpreter that is "selected" is that of a setting.
const vscode = require("vscode");

exports.activate = () => {
  const changed = new vscode.EventEmitter();
  vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration("standIn")) {
      changed.fire({});
    }
  });
  return {
    environments: {
      getActiveEnvironmentPath: () => ({
        path: vscode.workspace.getConfiguration("standIn").get("interpreter"),
      }),
      resolveEnvironment: ({ path }) =>
        Promise.resolve(path ? { executable: { uri: vscode.Uri.file(path) } } : undefined),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
