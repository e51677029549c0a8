import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Run } from './command-line.js';
import type { News, Order } from './ops-host.js';

const HOST = join(import.meta.dirname, 'ops-host.ts');

/** Idle host processes. They end with this process. */
const idle: ChildProcess[] = [];

/**
 * Runs one command in a host process that is reused between commands. `test:faults` gives each command a process of its
 * own.
 */
export async function runHosted(order: Order, patienceMs: number): Promise<Run> {
  const host = idle.pop() ?? newHost();
  hold(host, true);
  const timer = setTimeout(() => host.kill('SIGKILL'), patienceMs);
  try {
    return await runOn(host, order);
  } finally {
    clearTimeout(timer);
    hold(host, false);
  }
}

async function runOn(host: ChildProcess, order: Order): Promise<Run> {
  let [out, err] = ['', ''];
  const ended = new Promise<number>((resolve) => {
    host.on('message', (news: News) => {
      out += news.out ?? '';
      err += news.err ?? '';
      if (news.exitCode !== undefined) resolve(news.exitCode);
    });
  });
  // A command may also end its host process.
  const gone = once(host, 'exit').then(() => null);
  host.send(order);
  const exitCode = await Promise.race([ended, gone]);
  host.removeAllListeners();
  if (exitCode === null) return { exitCode: host.exitCode, out, err };

  idle.push(host);
  return { exitCode, out, err };
}

function newHost(): ChildProcess {
  return fork(HOST, [], { execArgv: ['--disable-warning=ExperimentalWarning'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** Keeps this process alive for a busy host, but not for an idle one. */
function hold(host: ChildProcess, isBusy: boolean): void {
  if (isBusy) {
    host.ref();
    host.channel?.ref();
  } else {
    host.unref();
    host.channel?.unref();
  }
}
