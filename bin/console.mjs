import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './alone.mjs';
import { install } from './install.mjs';
import { own, root } from './runtime.mjs';

const FOLDER = join(root, 'console');
/** Holds the digest of the sources of the built console. A build deletes it first, with the rest of the folder. */
const BUILT = join(FOLDER, 'dist/.built');
const SOURCES = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'chunk-budget.ts',
  'tsconfig.json',
  'package-lock.json',
];

/** Installs the packages of the console, which its types need too. */
export const installConsole = () => install(FOLDER);

/** Builds the console when it was built from other sources. */
export async function buildConsole() {
  if (isBuilt()) return;
  await installConsole();
  await alone(async () => {
    if (!isBuilt()) await bundle();
  });
}

function isBuilt() {
  return existsSync(BUILT) && readFileSync(BUILT, 'utf8') === digestOfSources();
}

async function bundle() {
  const digest = digestOfSources();
  console.error('Building the console …');
  const code = await own(['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
    cwd: FOLDER,
    stdio: ['ignore', 2, 2],
  });
  if (code !== 0) throw new Error('The build of the console failed: see the errors above.');
  writeFileSync(BUILT, digest);
}

function digestOfSources() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesOf).sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(FOLDER, file)));
  return hash.digest('hex');
}

function filesOf(name) {
  const path = join(FOLDER, name);
  if (statSync(path).isFile()) return [name];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(FOLDER.length + 1));
}
