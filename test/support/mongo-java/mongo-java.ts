import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

const FOLDER = import.meta.dirname;
const LIBRARIES = join(FOLDER, 'lib');
const START_MS = 30_000;

/** mongo-java-server in its own process: in memory, with MongoDB's wire protocol, atomic per operation. */
export class MongoJava {
  readonly url: string;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.child = child;
    this.url = url;
  }

  /** The missing prerequisite, or null when the server can start. */
  static get missing(): string | null {
    if (!isOnPath('java')) return 'no Java is installed';
    return existsSync(LIBRARIES) ? null : 'mongo-java-server was not fetched (npm run test:stores does that)';
  }

  static async start(): Promise<MongoJava> {
    const child = spawn('java', ['-cp', join(LIBRARIES, '*'), join(FOLDER, 'MongoJava.java')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout);
    const [url] = (await once(lines, 'line', { signal: AbortSignal.timeout(START_MS) })) as [string];
    return new MongoJava(child, url);
  }

  /** Stops the process: it accepts connections and answers nothing. Waits until the signal has taken effect. */
  async stall(): Promise<void> {
    this.child.kill('SIGSTOP');
    while (!isStopped(this.child.pid!)) await new Promise(setImmediate);
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

function isStopped(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || /\) T /.test(readFileSync(stat, 'utf8'));
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
