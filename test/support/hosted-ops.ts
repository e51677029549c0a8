import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { CommandOutput, CommandRequest } from './ops-host.js';

const HOST = join(import.meta.dirname, 'ops-host.ts');

/** Idle host processes. They end with this process. */
const idle: ChildProcess[] = [];

export interface HostedCommand {
  readonly child: ChildProcess;
  /** The exit code of the command, or null when a signal has ended its process. */
  readonly ended: Promise<number | null>;
}

/**
 * Starts a command in a host process that is reused between commands. `test:faults` gives each command a process of its
 * own.
 */
export function startHosted(request: CommandRequest, onOutput: (output: CommandOutput) => void): HostedCommand {
  const child = takeIdle() ?? forkHost();
  keepAlive(child, true);
  const ended = new Promise<number>((resolve) => {
    child.on('message', (output: CommandOutput) => {
      onOutput(output);
      if (output.exitCode !== undefined) resolve(output.exitCode);
    });
  });
  child.send(request);
  return { child, ended: waitForEnd(child, ended) };
}

async function waitForEnd(host: ChildProcess, ended: Promise<number>): Promise<number | null> {
  // A command may also end its host process.
  const exited = once(host, 'exit').then(() => null);
  const exitCode = await Promise.race([ended, exited]);
  host.removeAllListeners();
  keepAlive(host, false);
  if (exitCode === null) return host.exitCode;

  idle.push(host);
  return exitCode;
}

function takeIdle(): ChildProcess | undefined {
  let host = idle.pop();
  while (host !== undefined && !host.connected) host = idle.pop();
  return host;
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
