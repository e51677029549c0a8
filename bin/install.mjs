import { readFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { alone } from './alone.mjs';
import { ended, root } from './runtime.mjs';

/** Installs the packages of a folder's package-lock.json when its node_modules differs from it. */
export async function install(folder = root) {
  if (isInstalled(folder)) return;
  await alone(async () => {
    if (!isInstalled(folder)) await npmCi(folder);
  });
}

/** Compares npm's list of installed packages by content. File times do not show a change after a copy or a checkout. */
function isInstalled(folder) {
  const installed = packagesOf(join(folder, 'node_modules/.package-lock.json'));
  if (installed === null) return false;

  const wanted = Object.entries(packagesOf(join(folder, 'package-lock.json')));
  return wanted.every(([path, { version, optional }]) => {
    if (path === '' || (optional && installed[path] === undefined)) return true;
    return installed[path]?.version === version;
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}

async function npmCi(folder) {
  console.error(`Installing the dependencies of ${relative(root, folder) || 'the service'} (npm ci) …`);
  const [file, ...args] = npm();
  const { code } = await ended(
    file,
    [...args, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      stdio: ['ignore', 2, 2],
      env: { PATH: pathWithoutPackages() },
    },
  );
  if (code !== 0) throw new Error('npm ci failed: see the errors above.');
}

/** Returns the npm that runs this script, with its own Node, or else the npm on the path. */
function npm() {
  const { npm_execpath: npmFile, npm_node_execpath: node } = process.env;
  if (npmFile !== undefined && node !== undefined && !node.startsWith(root)) return [node, npmFile];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

/** Returns the path without node_modules, because npm ci replaces node_modules and the Node in it. */
function pathWithoutPackages() {
  const packages = join(root, 'node_modules');
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(packages))
    .join(delimiter);
}
