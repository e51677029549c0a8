import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { CommandResult } from './command-line.js';
import type { CommandOutput, CommandRequest } from './ops-host.js';

const HOST = join(import.meta.dirname, 'ops-host.ts');

/** Idle host processes. They end with this process. */
const idle: ChildProcess[] = [];

/**
 * Runs one command in a host process that is reused between commands. `test:faults` gives each command a process of its
 * own.
 */
export async function runHosted(request: CommandRequest, timeoutMs: number): Promise<CommandResult> {
  const host = idle.pop() ?? forkHost();
  keepAlive(host, true);
  const timer = setTimeout(() => host.kill('SIGKILL'), timeoutMs);
  try {
    return await runOn(host, request);
  } finally {
    clearTimeout(timer);
    keepAlive(host, false);
  }
}

async function runOn(host: ChildProcess, request: CommandRequest): Promise<CommandResult> {
  let [out, err] = ['', ''];
  const ended = new Promise<number>((resolve) => {
    host.on('message', (news: CommandOutput) => {
      out += news.out ?? '';
      err += news.err ?? '';
      if (news.exitCode !== undefined) resolve(news.exitCode);
    });
  });
  // A command may also end its host process.
  const exited = once(host, 'exit').then(() => null);
  host.send(request);
  const exitCode = await Promise.race([ended, exited]);
  host.removeAllListeners();
  if (exitCode === null) return { exitCode: host.exitCode, out, err };

  idle.push(host);
  return { exitCode, out, err };
}

function forkHost(): ChildProcess {
  return fork(HOST, [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Keeps this process alive for a busy host, but not for an idle one. */
function keepAlive(host: ChildProcess, isBusy: boolean): void {
  if (isBusy) {
    host.ref();
    host.channel?.ref();
  } else {
    host.unref();
    host.channel?.unref();
  }
}
