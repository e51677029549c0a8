import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

const SCRIPT = join(import.meta.dirname, 'appender.ts');
const QUIET = '--disable-warning=ExperimentalWarning';

export interface Acknowledged {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
}

/** A separate process that appends to the file. */
export class Appender {
  readonly lines: string[] = [];
  private readonly child: ChildProcess;
  private readonly output: Interface;
  private readonly ended: Promise<unknown>;

  /** @param maxBlocks the largest size of its files in blocks of 512 bytes; unlimited by default */
  constructor(file: string, name: string, times: number, maxBlocks?: number) {
    const command = [process.execPath, QUIET, SCRIPT, file, name, String(times)];
    const limited = ['sh', '-c', `ulimit -f ${maxBlocks}; exec "$@"`, 'sh', ...command];
    const [program, ...args] = maxBlocks === undefined ? command : limited;
    this.child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.output = createInterface(this.child.stdout!).on('line', (line) => this.lines.push(line));
    this.ended = Promise.all([once(this.child, 'exit'), once(this.output, 'close')]);
  }

  get pid(): number {
    return this.child.pid!;
  }

  get acknowledged(): Acknowledged[] {
    const reports = this.lines.map((line) => /^(\S+-\d) (\d+) (\S{36})$/.exec(line)).filter((match) => match !== null);
    return reports.map(([, stream, revision, id]) => ({ stream: stream!, revision: Number(revision), id: id! }));
  }

  async hasPrinted(count: number): Promise<void> {
    while (this.lines.length < count) await once(this.output, 'line');
  }

  /** Resolves after the process has ended and all its output is read. */
  async end(): Promise<void> {
    await this.ended;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
