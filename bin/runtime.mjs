import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_MAJOR = 24;
const PASSED_ON = ['SIGTERM', 'SIGINT', 'SIGHUP'];

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a script on the project's own Node and resolves to its exit code; ends as it did when a signal ended it. */
export async function own(args, { stdio = 'inherit', env = {} } = {}) {
  const { code, signal } = await ended(projectNode(), ['--disable-warning=ExperimentalWarning', ...args], { stdio, env });
  if (signal !== null) process.kill(process.pid, signal);
  return code ?? 1;
}

/** The outcome of a child that gets every signal that this process gets. */
export function ended(file, args, { stdio, env = {} }) {
  const child = spawn(file, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  const pass = (signal) => child.kill(signal);
  for (const signal of PASSED_ON) process.on(signal, pass);

  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  }).finally(() => {
    for (const signal of PASSED_ON) process.off(signal, pass);
  });
}

function projectNode() {
  const installed = runtimePackages()
    .map((name) => join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))
    .find((file) => existsSync(file));
  if (installed !== undefined) return installed;
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_MAJOR) return process.execPath;

  throw new Error(
    `This needs Node ${OLDEST_MAJOR}; here is ${process.version}, and npm brought none for ${process.platform} ${process.arch}. ` +
      `Install Node ${OLDEST_MAJOR} or later and run the command again.`,
  );
}

/** The packages that carry a Node binary; npm installs the one of this platform. */
function runtimePackages() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(optionalDependencies).filter((name) => name.startsWith('node-'));
}
