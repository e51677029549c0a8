import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Api } from './api.ts';
import { closeAfterSpec } from './cleanups.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');
const READY = /^ready\b.*?(https?:\/\/\S+)/m;
const FIRST_KEY = /\bsk_live_[0-9A-Za-z]+/;
const FIRST_TEST_KEY = /\bsk_test_[0-9A-Za-z]+/;
const TIMEOUT_MS = 60_000;

/** Settings for tests: receivers on the loopback interface, and no rate or concurrency limits. */
export const TEST_ENVIRONMENT = {
  HOST: '127.0.0.1',
  PORT: '0',
  OPS_PORT: '0',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  RATE_LIMIT: '0',
  CONNECTION_LIMIT_PER_ADDRESS: '2000',
  WEBHOOK_HOST_CONCURRENCY: '0',
  WEBHOOK_HOST_RATE: '0',
  AUDIT_EXPORT_LIMIT: '1000',
  LOG_LEVEL: 'silent',
};

export type Environment = Readonly<Record<string, string>>;

/** Variables that a process of a test inherits: the path, and the folder of Node's compiled modules (`bin/jest.mjs`). */
export const INHERITED: Environment = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** The built service in its own process, so that a test can kill it as an operating system would. */
export class ServiceProcess {
  /** The printed output so far. */
  output = '';
  url = '';
  readonly dataDir: string;
  readonly env: Environment;
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;
  /** Resolves when the service reports that it is ready. */
  readonly ready: Promise<void>;

  /** Starts a process without waiting for it. */
  constructor(dataDir: string, env: Environment) {
    this.dataDir = dataDir;
    this.env = env;
    this.child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
      env: { ...INHERITED, ...TEST_ENVIRONMENT, DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = once(this.child, 'exit');
    this.child.once('exit', closeAfterSpec(() => this.child.kill('SIGKILL')).cancel);
    this.ready = this.waitUntilReady();
  }

  /** Starts a process and waits until it is ready. */
  static async start(dataDir: string, env: Environment = {}): Promise<ServiceProcess> {
    const service = new ServiceProcess(dataDir, env);
    await service.ready;
    return service;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The key that the first start on an empty store prints. */
  get firstKey(): string {
    const key = FIRST_KEY.exec(this.output)?.[0];
    if (key === undefined) throw new Error(`No key was printed:\n${this.output}`);
    return key;
  }

  get firstTestKey(): string {
    const key = FIRST_TEST_KEY.exec(this.output)?.[0];
    if (key === undefined) throw new Error(`No key was printed:\n${this.output}`);
    return key;
  }

  createApi(credential: string | null): Api {
    return new Api(this.url, credential);
  }

  /** Waits for the exit; returns the signal or the exit code. */
  async waitForExit(): Promise<NodeJS.Signals | number> {
    await this.exited;
    return this.child.signalCode ?? this.child.exitCode!;
  }

  /** Kills the process without a shutdown. */
  async kill9(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  /** Sends SIGTERM as an operator does; returns the exit code. */
  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    await this.exited;
    return this.child.exitCode;
  }

  private async waitUntilReady(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => fail(`was not ready within ${TIMEOUT_MS} ms`), TIMEOUT_MS);
      const fail = (reason: string) => {
        clearTimeout(timer);
        this.child.kill('SIGKILL');
        reject(new Error(`The service ${reason}:\n${this.output}`));
      };
      const listen = (chunk: Buffer) => {
        this.output += chunk.toString();
        const url = READY.exec(this.output)?.[1];
        if (url === undefined || this.url !== '') return;
        this.url = url;
        clearTimeout(timer);
        resolve();
      };
      this.child.stdout!.on('data', listen);
      this.child.stderr!.on('data', listen);
      this.child.once('exit', (code, signal) => fail(`ended before it was ready (${code ?? signal})`));
    });
  }
}
