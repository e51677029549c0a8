import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { closeAfterSpec } from './cleanups.js';
import { runHosted } from './hosted-ops.js';

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
    const request = { words: words.split(' '), env: this.buildEnvironment(env) };
    return ONE_PROCESS_PER_COMMAND || 'CRASH_AT' in request.env
      ? this.start(words, env).result
      : runHosted(request, this.timeoutMs);
  }

  /** Starts the command in its own process. */
  start(words: string, env: Readonly<Record<string, string>> = {}): Command {
    return new Command(words.split(' '), this.buildEnvironment(env), this.timeoutMs);
  }

  /** Runs the command with `--json` and returns the printed document. */
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- each command prints its own document */
  async runForDocument(words: string): Promise<any> {
    const { exitCode, out, err } = await this.run(`${words} --json`);
    if (exitCode !== 0 || err !== '') throw new Error(`${words} ended with ${exitCode}: ${err}`);
    return JSON.parse(out);
  }

  private buildEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
    return { PATH: process.env.PATH!, DATA_DIR: this.dataDir, ...this.env, ...env };
  }
}

/** A command that is running or has ended. */
export class Command {
  out = '';
  err = '';
  readonly result: Promise<CommandResult>;
  private readonly child: ChildProcess;

  constructor(words: readonly string[], env: Readonly<Record<string, string>>, timeoutMs: number) {
    this.child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', OPS, ...words], {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    this.child.once('exit', closeAfterSpec(() => this.child.kill('SIGKILL')).cancel);
    this.child.stdout!.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr!.on('data', (chunk: Buffer) => (this.err += chunk.toString()));
    this.result = once(this.child, 'close').then(() => ({
      exitCode: this.child.exitCode,
      out: this.out,
      err: this.err,
    }));
  }

  /** Resolves once stdout or stderr matches the pattern; rejects if the command ends without a match. */
  async waitForOutput(pattern: RegExp): Promise<void> {
    const ended = this.result.then(() => 'over' as const);
    while (!pattern.test(this.out) && !pattern.test(this.err)) {
      const nextOutput = [this.child.stdout!, this.child.stderr!].map((stream) => once(stream, 'data'));
      if ((await Promise.race([ended, ...nextOutput])) !== 'over' || pattern.test(this.out + this.err)) continue;
      throw new Error(`The command ended and never printed ${pattern}:\n${this.out}${this.err}`);
    }
  }

  /** Sends SIGINT, as Ctrl-C does. */
  interrupt(): Promise<CommandResult> {
    this.child.kill('SIGINT');
    return this.result;
  }

  /** Closes the reading end of the command's stdout. */
  stopReading(): Promise<CommandResult> {
    this.child.stdout!.destroy();
    return this.result;
  }

  async kill9(): Promise<CommandResult> {
    this.child.kill('SIGKILL');
    return this.result;
  }
}
