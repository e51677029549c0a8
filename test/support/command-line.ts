import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runHosted } from './hosted-ops.js';
import { closeAtEnd } from './leftovers.js';

const OPS = join(import.meta.dirname, '../../dist/operations/ops.js');
const PATIENCE_MS = 60_000;
const EACH_ALONE = process.env.OPS_PROCESSES === 'each';

export interface Run {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the operator's tool on one data folder, in another process. */
export class CommandLine {
  constructor(
    private readonly dataDir: string,
    private readonly env: Readonly<Record<string, string>> = {},
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** @param words the command as typed, separated by spaces */
  run(words: string, env: Readonly<Record<string, string>> = {}): Promise<Run> {
    const order = { words: words.split(' '), env: this.environment(env) };
    return EACH_ALONE || 'CRASH_AT' in order.env ? this.begin(words, env).ended : runHosted(order, this.patienceMs);
  }

  /** Starts the command in its own process. */
  begin(words: string, env: Readonly<Record<string, string>> = {}): Command {
    return new Command(words.split(' '), this.environment(env), this.patienceMs);
  }

  /** Runs the command with `--json` and returns the printed document. */
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- each command prints its own document */
  async document(words: string): Promise<any> {
    const { exitCode, out, err } = await this.run(`${words} --json`);
    if (exitCode !== 0 || err !== '') throw new Error(`${words} ended with ${exitCode}: ${err}`);
    return JSON.parse(out);
  }

  private environment(env: Readonly<Record<string, string>>): Record<string, string> {
    return { PATH: process.env.PATH!, DATA_DIR: this.dataDir, ...this.env, ...env };
  }
}

/** A command that is running or has ended. */
export class Command {
  out = '';
  err = '';
  readonly ended: Promise<Run>;
  private readonly child: ChildProcess;

  constructor(words: readonly string[], env: Readonly<Record<string, string>>, patienceMs: number) {
    this.child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', OPS, ...words], {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patienceMs,
    });
    this.child.once('exit', closeAtEnd(() => this.child.kill('SIGKILL')).closed);
    this.child.stdout!.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr!.on('data', (chunk: Buffer) => (this.err += chunk.toString()));
    this.ended = once(this.child, 'close').then(() => ({ exitCode: this.child.exitCode, out: this.out, err: this.err }));
  }

  /** Resolves once stdout or stderr matches the pattern; rejects if the command ends without a match. */
  async printed(pattern: RegExp): Promise<void> {
    const over = this.ended.then(() => 'over' as const);
    while (!pattern.test(this.out) && !pattern.test(this.err)) {
      const news = [this.child.stdout!, this.child.stderr!].map((stream) => once(stream, 'data'));
      if ((await Promise.race([over, ...news])) !== 'over' || pattern.test(this.out + this.err)) continue;
      throw new Error(`The command ended and never printed ${pattern}:\n${this.out}${this.err}`);
    }
  }

  /** Sends SIGINT, as Ctrl-C does. */
  interrupt(): Promise<Run> {
    this.child.kill('SIGINT');
    return this.ended;
  }

  /** Closes the reading end of the command's stdout. */
  stopReading(): Promise<Run> {
    this.child.stdout!.destroy();
    return this.ended;
  }

  async kill9(): Promise<Run> {
    this.child.kill('SIGKILL');
    return this.ended;
  }
}
