import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { buildConsole } from './console.mjs';
import { jest } from './jest.mjs';
import { own } from './runtime.mjs';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

/** Runs the tests in a real browser. */
export const browser = (args) =>
  withChromium((CHROMIUM) => jest(['--config', 'test/browser/jest.config.js', ...args], { CHROMIUM }));

/** Makes the pictures of docs/screenshots. */
export const screenshots = () => withChromium(runScript('test/browser/screenshots/screenshots.ts'));

export const benchConsole = () => withChromium(runScript('test/bench/console.bench.ts'));

const runScript = (file) => (CHROMIUM) => own([file], { env: { CHROMIUM } });

/** Runs something that starts a browser: the one that CHROMIUM names, or the first one on the path. */
async function withChromium(run) {
  const CHROMIUM = process.env.CHROMIUM ?? findChromium();
  if (CHROMIUM === undefined) {
    console.error('Skipped, because there is no Chromium. Install it, or name its path in CHROMIUM.');
    return 0;
  }
  await buildConsole();
  return run(CHROMIUM);
}

function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}
