import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort } from '../../support/free-port.ts';

const READY = 'Ready to accept connections';

/**
 * The time at which writes are flushed to disk: before the response, as the embedded store does, or once a second, the
 * default of Redis.
 */
export type Flush = 'always' | 'everysec';

/** The result when no Redis server is installed. */
export const REDIS_MISSING = { missing: 'redis-server' };

export function isRedisInstalled(): boolean {
  return spawnSync('redis-server', ['--version']).error === undefined;
}

/** A Redis server with a separate folder. */
export class RedisServer {
  readonly port: number;
  private readonly folder: string;
  private readonly child: ChildProcess;
  private usedBefore = 0;

  private constructor(port: number, folder: string, flush: Flush) {
    this.port = port;
    this.folder = folder;
    const options = {
      bind: '127.0.0.1',
      port,
      dir: folder,
      appendonly: 'yes',
      appendfsync: flush,
      save: '',
      daemonize: 'no',
    };
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.child = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  static async start(flush: Flush): Promise<RedisServer> {
    const redis = new RedisServer(await findFreePort(), await mkdtemp(join(tmpdir(), 'bench-redis-')), flush);
    await redis.waitUntilReady();
    return redis;
  }

  /** Returns the CPU time since the previous call. */
  async takeCpuMicros(): Promise<number> {
    const client = new Redis(this.port);
    const info = await client.info('cpu');
    client.disconnect();
    const used = [...info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)].reduce(
      (sum, [, seconds]) => sum + Number(seconds) * 1e6,
      0,
    );
    const since = used - this.usedBefore;
    this.usedBefore = used;
    return since;
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
    await rm(this.folder, { recursive: true, force: true });
  }

  private async waitUntilReady(): Promise<void> {
    const failed = once(this.child, 'exit').then(([code]) => {
      throw new Error(`redis-server ended with ${code} before it was ready`);
    });
    failed.catch(() => undefined);
    for (let output = ''; !output.includes(READY);) {
      const [chunk] = (await Promise.race([once(this.child.stdout!, 'data'), failed])) as [Buffer];
      output += chunk.toString();
    }
    this.child.stdout!.resume();
  }
}
