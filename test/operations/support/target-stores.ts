import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOrGenerateSessionKey } from '../../../src/config/generated-secrets.js';
import { openStores } from '../../../src/stores/open.js';
import type { Ports } from '../../../src/stores/ports.js';
import { CommandLine } from '../../support/command-line.js';
import { DatabaseLog } from '../../support/eventstoredb/log.js';
import { EventStoreDbServer } from '../../support/eventstoredb/server.js';
import { type Environment, ServiceProcess } from '../../support/service-process.js';

const KEY = Buffer.alloc(32, 'k').toString('base64');

/** Stores on which a service can run with the same keys, and a folder for exported files. */
export class TargetStores {
  readonly folder = mkdtempSync(join(tmpdir(), 'moving-'));
  server: EventStoreDbServer;
  private readonly environment: Environment;

  private constructor(server: EventStoreDbServer, environment: Environment) {
    this.server = server;
    const publicHalf = { ...readOrGenerateSessionKey(this.folder), d: undefined };
    const keys = join(this.folder, 'session-keys.json');
    writeFileSync(keys, JSON.stringify({ keys: [publicHalf] }));
    const session = { SESSION_JWKS: keys, SESSION_ISSUER: 'development', SESSION_AUDIENCE: 'event-sourced-api' };
    this.environment = { MASTER_KEY: KEY, KEY_PEPPER: KEY, ...session, ...environment };
  }

  static async open(environment: Environment = {}): Promise<TargetStores> {
    return new TargetStores(await EventStoreDbServer.start(), environment);
  }

  embedded(name: string): TargetStore {
    const dataDir = join(this.folder, name);
    return new TargetStore(dataDir, this.environment, { file: join(dataDir, 'store.sqlite') });
  }

  /** @param mongodb an empty database */
  external(mongodb: string): TargetStore {
    const eventStore = this.server.connection;
    return new TargetStore(
      this.folder,
      { ...this.environment, EVENT_STORE: eventStore, MONGODB_URL: mongodb },
      { eventStore, mongodb },
    );
  }

  /** Restores the log to its first events. Later events are lost. */
  async restoreLog(events: number): Promise<void> {
    const log = new DatabaseLog();
    for (const event of this.server.log.all.slice(0, events)) log.appendReplicated(event);
    log.commit(events);
    this.server.stop();
    this.server = await EventStoreDbServer.start({ log });
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  readLines(name: string): string[] {
    return readFileSync(this.file(name), 'utf8').trimEnd().split('\n');
  }

  close(): void {
    this.server.stop();
    rmSync(this.folder, { recursive: true });
  }
}

export class TargetStore {
  readonly ops: CommandLine;

  constructor(
    readonly dataDir: string,
    readonly environment: Environment,
    private readonly at: Parameters<typeof openStores>[0],
  ) {
    this.ops = new CommandLine(dataDir, environment);
  }

  start(): Promise<ServiceProcess> {
    return ServiceProcess.start(this.dataDir, this.environment);
  }

  /** Opens the stores for the work, and closes them. */
  async open<T>(work: (ports: Ports) => Promise<T>): Promise<T> {
    const ports = await openStores(this.at);
    try {
      await ports.ensureReady();
      return await work(ports);
    } finally {
      await ports.close();
    }
  }
}
