import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { closeAfterSpec } from './cleanups.js';
import { findFreePort } from './free-port.js';

/** Returns the path of the program stripe-mock, or null. `STRIPE_MOCK` may name it. */
export function findStripeMock(): string | null {
  const { STRIPE_MOCK: named, PATH = '', GOPATH = join(homedir(), 'go') } = process.env;
  const folders = [...PATH.split(delimiter), ...GOPATH.split(delimiter).map((folder) => join(folder, 'bin'))];
  const candidates = [...(named ? [named] : []), ...folders.map((folder) => join(folder, 'stripe-mock'))];
  return candidates.find((file) => existsSync(file)) ?? null;
}

/** Starts stripe-mock, which checks requests against Stripe's own description of its API. Returns its address. */
export async function startStripeMock(program: string): Promise<string> {
  const port = await findFreePort();
  const mock = spawn(program, ['-http-port', String(port)], { stdio: 'ignore' });
  closeAfterSpec(async () => void mock.kill());
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(url).catch(() => null)) return url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('stripe-mock did not start');
}
