import { flushCompileCache } from 'node:module';
import { relative } from 'node:path';
import { recordProgress } from '../../bin/test-limit.mjs';

/** The tests run with Node's own globals, so that spec files can share modules. After each spec file it restores what Jest changed. */
export default class NativeEnvironment {
  global = globalThis;
  fakeTimers = null;
  fakeTimersModern = null;
  moduleMocker = null;
  #console = globalThis.console;
  #exit = process.exit;
  #spec;

  constructor({ globalConfig }, { testPath }) {
    this.#spec = relative(globalConfig.rootDir, testPath);
  }

  /** Jest raises the limit of stack traces to 100, which makes every error expensive. */
  async setup() {
    recordProgress('start', this.#spec);
    Error.stackTraceLimit = 10;
    if (process.env.TEST_DELAY_MS !== undefined) await import('./slow-consumers.ts');
  }

  async teardown() {
    const { runCleanups } = await import('../support/cleanups.ts');
    await runCleanups();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    // Node would write the compiled modules at the end of the worker, which Jest kills half a second after the last spec.
    flushCompileCache();
    recordProgress('end', this.#spec);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
