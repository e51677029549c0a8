import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_MAJOR = 24;
const PASSED_ON = ['SIGTERM', 'SIGINT', 'SIGHUP'];

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs a script on the project's Node and resolves to its exit code. When a signal ends the script, the same signal
 * ends this process.
 * @param watch called after the start, with a function that ends a script that hangs; it returns a function that is
 * called after the end
 * @param end called after the end of the script
 */
export async function own(args, { cwd = root, stdio = 'inherit', env = {}, end = () => {}, watch } = {}) {
  const { code, signal, hung } = await ended(projectNode(), ['--disable-warning=ExperimentalWarning', ...args], {
    cwd,
    stdio,
    env,
    watch,
  });
  end();
  if (hung) return 1;
  if (signal !== null) process.kill(process.pid, signal);
  return code ?? 1;
}

/** Runs a child process, forwards the signals of this process to it, and resolves to its exit code and signal. */
export function ended(file, args, { cwd = root, stdio, env = {}, watch = () => () => {} }) {
  const child = spawn(file, args, { cwd, stdio, env: { ...process.env, ...env } });
  const pass = (signal) => child.kill(signal);
  for (const signal of PASSED_ON) process.on(signal, pass);
  let hung = false;
  const unwatch = watch(({ message, running }) => {
    hung = true;
    console.error(message);
    for (const { pid } of running) kill(pid);
    child.kill('SIGKILL');
  });

  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal, hung }));
  }).finally(() => {
    unwatch();
    for (const signal of PASSED_ON) process.off(signal, pass);
  });
}

/** Kills a process that does not react to other signals. It may have ended. */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Returns the Node of the caller when it is newer than the brought one, which has fewer security fixes. The majors
 * must agree, because others are not tested. npm brings Node 24, and Node 26 where it has no current Node 24.
 */
function projectNode() {
  const brought = broughtNode();
  const callers = callersNode();
  const isSuitable =
    brought === undefined
      ? majorOf(callers) >= OLDEST_MAJOR
      : [OLDEST_MAJOR, majorOf(brought)].includes(majorOf(callers));
  if (isSuitable && (brought === undefined || isNewer(callers, brought))) return callers.file;
  if (brought !== undefined) return brought.file;

  throw new Error(
    `Node ${OLDEST_MAJOR} is required. The current Node is v${callers.version}, and npm has no Node for ${process.platform} ${process.arch}. ` +
      `Install Node ${OLDEST_MAJOR} or later and run the command again.`,
  );
}

function broughtNode() {
  return runtimePackages()
    .map((name) => join(root, 'node_modules', name))
    .map((folder) => ({ folder, file: join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node') }))
    .filter(({ file }) => existsSync(file))
    .map(({ folder, file }) => ({
      file,
      version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version,
    }))[0];
}

/** Returns the Node that runs npm, because an npm script finds the installed Node first on its path. */
function callersNode() {
  const { npm_node_execpath: file } = process.env;
  const { stdout } = file === undefined ? {} : spawnSync(file, ['--version'], { encoding: 'utf8' });
  const [, version] = /^v(\d+\.\d+\.\d+)\s*$/.exec(stdout ?? '') ?? [];
  return version === undefined ? { file: process.execPath, version: process.versions.node } : { file, version };
}

function majorOf({ version }) {
  return Number.parseInt(version, 10);
}

function isNewer(one, other) {
  return one.version.localeCompare(other.version, 'en', { numeric: true }) > 0;
}

/** Returns the packages with a Node binary. npm installs the package for this platform. */
function runtimePackages() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(optionalDependencies).filter((name) => name.startsWith('node-'));
}
