import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone } from './alone.mjs';
import { own, root } from './runtime.mjs';

const SRC = join(root, 'src');
const DIST = join(root, 'dist');
/** Holds the digest of the sources of dist. The file is missing during a build and after a failed build. */
const BUILT = join(DIST, '.built');

/** Compiles src into dist when dist was built from other sources. */
export async function build() {
  if (isBuilt()) return;
  await alone(async () => {
    if (!isBuilt()) await compile();
  });
}

function isBuilt() {
  return existsSync(BUILT) && readFileSync(BUILT, 'utf8') === digestOfSources();
}

async function compile() {
  const digest = digestOfSources();
  console.error('Building …');
  clear();
  const code = await own(['node_modules/typescript/bin/tsc', '--project', 'tsconfig.json'], {
    stdio: ['ignore', 2, 2],
  });
  if (code !== 0) throw new Error('The build failed: see the errors above.');
  writeFileSync(BUILT, digest);
}

/** Deletes dist after an unfinished build. After a finished build, deletes only the modules without a source. */
function clear() {
  if (!existsSync(BUILT)) return rmSync(DIST, { recursive: true, force: true });

  rmSync(BUILT);
  for (const file of filesIn(DIST, '.js')) {
    const source = join(SRC, file.replace(/\.js$/, '.ts'));
    if (!existsSync(source)) rmSync(join(DIST, file));
  }
}

/** Returns a digest of the contents. File times do not show a change after a copy or a checkout. */
function digestOfSources() {
  const hash = createHash('sha256');
  const sources = filesIn(SRC, '.ts').map((file) => join(SRC, file));
  for (const file of [join(root, 'package-lock.json'), join(root, 'tsconfig.json'), ...sources]) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesIn(folder, ending) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(ending))
    .sort();
}
