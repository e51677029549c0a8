import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const ROOT = new URL('../../', import.meta.url).href;
const [SRC, TEST, DIST] = ['src/', 'test/', 'dist/'].map((folder) => new URL(folder, ROOT).href);
const OPTIONS = {
  sourceMaps: true,
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'es6' },
};
const VERSION = JSON.stringify(OPTIONS) + require('@swc/core/package.json').version;

/** The features of all areas, which declare their streams and public events. */
export const FEATURES = `${DIST}features.js`;
const DECLARATIONS = `${DIST}kernel/declarations.js`;
let declarationsLoaded = false;

/** Returns whether some code that was loaded may read what the features declare. */
export const mayReadDeclarations = () => declarationsLoaded;

/** The path of the source map of each compiled file of the tests. */
export const sourceMaps = new Map();
let cache;

/**
 * Makes Node load the compiled file in `dist` for an import of `src`, and compile the files of `test`.
 * @param folder where compiled files are kept between runs
 */
export function loadFrom(folder) {
  if (cache !== undefined) return;
  cache = join(folder, 'compiled-tests');
  mkdirSync(cache, { recursive: true });
  registerHooks({ resolve, load });
}

function resolve(specifier, context, next) {
  if (!/^(\.|\/|file:)/.test(specifier) || !context.parentURL?.startsWith(TEST)) return next(specifier, context);
  const { href } = new URL(specifier, context.parentURL);
  if (href.startsWith(SRC)) return next(DIST + href.slice(SRC.length).replace(/\.ts$/, '.js'), context);

  const source = href.replace(/\.js$/, '.ts');
  return next(source.startsWith(TEST) && existsSync(fileURLToPath(source)) ? source : specifier, context);
}

function load(url, context, next) {
  if (url === DECLARATIONS) declarationsLoaded = true;
  if (!url.startsWith(TEST)) return next(url, context);
  const file = fileURLToPath(url);
  if (!file.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: compiled(file), shortCircuit: true };
}

function compiled(file) {
  const text = readFileSync(file, 'utf8');
  const key = createHash('sha256').update(VERSION).update('\0').update(file).update('\0').update(text).digest('hex');
  const kept = join(cache, `${key}.js`);
  sourceMaps.set(file, `${kept}.map`).set(`file://${file}`, `${kept}.map`);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');

  const { code, map } = require('@swc/core').transformSync(text, { ...OPTIONS, filename: file });
  write(`${kept}.map`, map);
  write(kept, code);
  return code;
}

/** Writes the file in one step: another worker may be reading it. */
function write(file, text) {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}
