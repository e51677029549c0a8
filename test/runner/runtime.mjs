import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { FEATURES, loadFrom, mayReadDeclarations, sourceMaps } from './loader.mjs';

const require = createRequire(import.meta.url);
const imported = new Set();
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const STATE = 'JEST_STATE_SYMBOL';

/** Replaces jest-runtime, which loads every module again for each spec file. Here Node loads a module once per worker. */
class NativeRuntime {
  constructor({ cacheDirectory }) {
    loadFrom(cacheDirectory);
  }

  /** Loads Jest's test framework again for each spec file: it keeps the state of one spec file among the globals. */
  requireInternalModule(file) {
    delete require.cache[file];
    delete globalThis[EVENT_HANDLERS];
    return require(file);
  }

  requireModule(file) {
    return require(file);
  }

  /**
   * Loads a spec file again when Jest runs it again, as `--watch` does. Another spec in the worker may have loaded the
   * features, so that a spec that needs them would fail only when it is alone: they are loaded for each that may.
   */
  async unstable_importModule(file) {
    const again = imported.has(file) ? `?${imported.size}-${Date.now()}` : '';
    imported.add(file);
    const spec = await import(pathToFileURL(file).href + again);
    if (mayReadDeclarations()) await import(FEATURES);
    return spec;
  }

  unstable_shouldLoadAsEsm(file) {
    return !file.endsWith('.cjs') && !file.includes('/node_modules/');
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}

  teardown() {
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (symbol.description === STATE) delete globalThis[symbol];
    }
  }
}

export { NativeRuntime as 'module.exports' };
