import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reading } from './gauge.ts';
import { round } from './numbers.ts';

const GAUGE = join(import.meta.dirname, 'gauge.ts');
export const FIRST_KEY = /\bsk_live_[0-9A-Za-z]+/;
const READY = /^ready (\S+)$/m;
/** The options of `npm start`. */
const NODE_OPTIONS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16'];
/** Wait before the memory at rest is read: the heap is compacted up to 20 s after the load. */
export const REST_MS = 30_000;
const IDLE_MS = 200;
/** A process that uses less than this share of one core counts as idle. */
const IDLE_SHARE = 0.05;
const TIMEOUT_MS = 60_000;

/** Returns the memory of a reading in megabytes. */
export function toMegabytes({ residentBytes, usedHeapBytes, peakBytes }: Reading) {
  const toMb = (bytes: number) => round(bytes / 1_000_000);
  return { resident_mb: toMb(residentBytes), used_heap_mb: toMb(usedHeapBytes), peak_mb: toMb(peakBytes) };
}

/** A server in a separate process that reports its resource use. */
export class MeasuredServer {
  output = '';
  url = '';
  private readonly child: ChildProcess;

  private constructor(script: string, env: NodeJS.ProcessEnv) {
    this.child = spawn(process.execPath, [...NODE_OPTIONS, '--import', GAUGE, script], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
  }

  /** Starts the server; resolves when it has printed `ready <url>`. */
  static async start(script: string, env: NodeJS.ProcessEnv): Promise<MeasuredServer> {
    const server = new MeasuredServer(script, env);
    await server.waitUntilReady();
    return server;
  }

  read(): Promise<Reading> {
    return this.readGauge('read');
  }

  /** Reads the resource use from the preloaded gauge. */
  async readGauge<T>(what: string): Promise<T> {
    this.child.send(what);
    const [answer] = (await once(this.child, 'message')) as [T];
    return answer;
  }

  /** Returns the CPU time used until the server is idle, including work after the responses. */
  async takeCpuMicrosUntilIdle(): Promise<number> {
    let sum = 0;
    for (const end = performance.now() + TIMEOUT_MS; performance.now() < end;) {
      await delay(IDLE_MS);
      const { cpuMicros } = await this.read();
      sum += cpuMicros;
      if (cpuMicros < IDLE_SHARE * IDLE_MS * 1_000) return sum;
    }
    throw new Error(`${this.url} did not become idle`);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }

  async kill9(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }

  private async waitUntilReady(): Promise<void> {
    const failed = once(this.child, 'exit').then(() => {
      throw new Error(`The server ended before it was ready:\n${this.output}`);
    });
    failed.catch(() => undefined);
    while (this.url === '') {
      const [chunk] = (await Promise.race([once(this.child.stdout!, 'data'), failed])) as [Buffer];
      this.output += chunk.toString();
      this.url = READY.exec(this.output)?.[1] ?? '';
    }
    this.child.stdout!.resume();
  }
}
