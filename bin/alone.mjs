import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from './runtime.mjs';

const LOOK_AGAIN_MS = 100;
const LONGEST_WORK_MS = 15 * 60_000;
const LOCK = join(tmpdir(), `${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`);

/** Runs the work in one process at a time for this clone. Other processes wait, and then find the work done. */
export async function alone(work) {
  while (!taken()) await delay(LOOK_AGAIN_MS);
  try {
    await work();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

function taken() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isStale()) rmSync(LOCK, { force: true });
    return false;
  }
}

function isStale() {
  try {
    if (Date.now() - statSync(LOCK).mtimeMs > LONGEST_WORK_MS) return true;
    const holder = Number(readFileSync(LOCK, 'utf8'));
    if (holder > 0) process.kill(holder, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
