import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { closeAfterSpec } from './cleanups.js';
import { startHosted } from './hosted-ops.js';
import type { CommandOutput, CommandRequest } from './ops-host.js';
import { INHERITED } from './service-process.js';

const OPS = join(import.meta.dirname, '../../dist/operations/cli/ops.js');
const TIMEOUT_MS = 60_000;
const ONE_PROCESS_PER_COMMAND = process.env.OPS_PROCESSES === 'each';

export interface CommandResult {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the operator's tool on one data folder, in another process. */
export class CommandLine {
  constructor(
    private readonly dataDir: string,
    private readonly env: Readonly<Record<string, string>> = {},
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** @param words the command as typed, separated by spaces */
  run(words: string, env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
    return this.start(words, env).result;
  }

  /** Starts the command in a process that other commands may use later. */
  start(words: string, env: Readonly<Record<string, string>> = {}): Command {
    const request = this.buildRequest(words, env);
    const isHosted = !ONE_PROCESS_PER_COMMAND && !('CRASH_AT' in request.env);
    return new Command(isHosted ? startHosted : startOwnProcess, request, this.timeoutMs);
  }

  /** Starts the command in its own process. */
  startOwnProcess(words: string): Command {
    return new Command(startOwnProcess, this.buildRequest(words, {}), this.timeoutMs);
  }

  /** Runs the command with `--json` and returns the printed document. */
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- each command prints its own document */
  async runForDocument(words: string): Promise<any> {
    const { exitCode, out, err } = await this.run(`${words} --json`);
    if (exitCode !== 0 || err !== '') throw new Error(`${words} ended with ${exitCode}: ${err}`);
    return JSON.parse(out);
  }

  private buildRequest(words: string, env: Readonly<Record<string, string>>): CommandRequest {
    return {
      words: words.split(' '),
      env: { ...INHERITED, DATA_DIR: this.dataDir, ...this.env, ...env },
    };
  }
}

/** A command that is running or has ended. */
export class Command {
  out = '';
  err = '';
  readonly result: Promise<CommandResult>;
  private readonly child: ChildProcess;
  private readonly outputs = new EventEmitter();
  private hasEnded = false;

  constructor(start: typeof startHosted, request: CommandRequest, timeoutMs: number) {
    const { child, ended } = start(request, (output) => this.addOutput(output));
    this.child = child;
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const { cancel } = closeAfterSpec(() => child.kill('SIGKILL'));
    this.result = ended
      .finally(() => {
        this.hasEnded = true;
        clearTimeout(timer);
        cancel();
      })
      .then((exitCode) => ({ exitCode, out: this.out, err: this.err }));
  }

  /** Resolves once stdout or stderr matches the pattern; rejects if the command ends without a match. */
  async waitForOutput(pattern: RegExp): Promise<void> {
    const ended = this.result.then(() => 'over' as const);
    while (!pattern.test(this.out) && !pattern.test(this.err)) {
      if ((await Promise.race([ended, once(this.outputs, 'added')])) !== 'over' || pattern.test(this.out + this.err))
        continue;
      throw new Error(`The command ended and never printed ${pattern}:\n${this.out}${this.err}`);
    }
  }

  /** Sends SIGINT, as Ctrl-C does. */
  interrupt(): Promise<CommandResult> {
    return this.kill('SIGINT');
  }

  /** Closes the reading end of the command's stdout, which must be that of its own process. */
  stopReading(): Promise<CommandResult> {
    this.child.stdout!.destroy();
    return this.result;
  }

  kill9(): Promise<CommandResult> {
    return this.kill('SIGKILL');
  }

  /** Another command may use the process after the end of this one. */
  private kill(signal: NodeJS.Signals): Promise<CommandResult> {
    if (!this.hasEnded) this.child.kill(signal);
    return this.result;
  }

  private addOutput({ out = '', err = '' }: CommandOutput): void {
    this.out += out;
    this.err += err;
    this.outputs.emit('added');
  }
}

const startOwnProcess: typeof startHosted = ({ words, env }, onOutput) => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', OPS, ...words], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Buffer) => onOutput({ out: chunk.toString() }));
  child.stderr.on('data', (chunk: Buffer) => onOutput({ err: chunk.toString() }));
  return { child, ended: once(child, 'close').then(() => child.exitCode) };
};
