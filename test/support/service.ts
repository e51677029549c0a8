import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { createApp, type RunningApp } from '../../src/app.js';
import { Config, readConfig } from '../../src/config/config.js';
import { Engine } from '../../src/engine/engine.js';
import { Streams } from '../../src/engine/streams/streams.js';
import { ApiKeys, type NewApiKey } from '../../src/identity/api-keys.js';
import type { TokenOptions } from '../../src/identity/authentication/development-tokens.js';
import { CreateBusiness } from '../../src/identity/commands/business.commands.js';
import { apiKeyDecider } from '../../src/identity/domain/api-key.js';
import { createSystemContext } from '../../src/identity/system-context.js';
import { Users } from '../../src/identity/users.js';
import type { Clock } from '../../src/kernel/clock.js';
import { EventStore } from '../../src/kernel/event-store.js';
import type { Position } from '../../src/kernel/position.js';
import { publicEventDecider, publicEventIdOf } from '../../src/webhooks/domain/public-event.js';
import { Api, SharedConsistency } from './api.js';
import { closeAfterSpec } from './cleanups.js';
import { ExternalStores, ON_EXTERNAL_STORES } from './external-stores/external-stores.js';
import { freezeNewEvents, FREEZING } from './histories.js';
import { IssuerClock } from './issuer-clock.js';
import { readWholeLog } from './read-whole-log.js';
import { type Environment, TEST_ENVIRONMENT } from './service-process.js';
import { createTokens } from './tokens.js';

/** The longest wait for the public event of a key, and how often it is looked for. */
const PUBLICATION_MS = 1_000;
const POLL_MS = 5;

export interface TestBusiness {
  readonly id: string;
  /** The user that owns the business. */
  readonly ownerId: string;
  readonly ownerSubject: string;
}

export type KeyOptions = Partial<Pick<NewApiKey, 'mode' | 'access' | 'name' | 'expiresAt'>>;

/** The whole service in this process, with real HTTP: on an embedded store in a new folder, or on external stores. */
export class Service {
  private readonly consistency = new SharedConsistency();
  private readonly issuer = new IssuerClock();
  private readonly cleanup = closeAfterSpec(() => this.running.close());

  constructor(
    readonly running: RunningApp,
    readonly dataDir: string,
    /** Null with the embedded store. */
    readonly stores: ExternalStores | null,
  ) {}

  get url(): string {
    return this.running.url;
  }

  get<T>(type: Type<T> | (abstract new (...args: never[]) => T)): T {
    return this.running.app.get<T>(type, { strict: false });
  }

  async createBusiness(name = 'A business', ownerSubject = 'owner'): Promise<TestBusiness> {
    const ownerId = await this.get(Users).resolveSubject(ownerSubject, null);
    const { id } = await this.get(CommandBus).execute(new CreateBusiness(this.createContext(), { name, ownerId }));
    return { id, ownerId, ownerSubject };
  }

  /** Creates an API key and returns its plaintext; by default a live secret key. */
  async createKey({ id: businessId, ownerId: userId }: TestBusiness, options: KeyOptions = {}): Promise<string> {
    const wanted = {
      businessId,
      userId,
      name: 'A key',
      mode: 'live',
      access: 'full',
      expiresAt: null,
      ...options,
    } as const;
    const { secret, key } = await this.get(ApiKeys).create(wanted, this.createContext());
    await this.waitUntilPublished(key.id);
    return secret!;
  }

  /**
   * Waits until the deliveries of the public event of the key are planned, so that no later endpoint or stream gets it. A
   * stopped engine plans none.
   */
  private async waitUntilPublished(keyId: string): Promise<void> {
    const streams = this.get(Streams);
    const [created] = await streams.loadHistory(apiKeyDecider, keyId);
    const eventId = publicEventIdOf(created!.meta.at, created!.id, 'api_key.created');
    for (const endsAt = Date.now() + PUBLICATION_MS; Date.now() < endsAt;) {
      const [published] = await streams.loadHistory(publicEventDecider, eventId);
      if (published !== undefined && this.hasPlanned(published.position)) return;
      await delay(POLL_MS);
    }
  }

  private hasPlanned(at: Position): boolean {
    const planners = this.get(Engine)
      .status()
      .runners.filter(({ name }) => name.includes('plan-delivery-chains'));
    return planners.every(({ position }) => position >= at);
  }

  /** @param clock the clock of the identity provider */
  signToken(
    subject: string,
    options: Partial<TokenOptions> = {},
    clock: Clock = this.issuer.clockFor(subject, options.email ?? null),
  ): Promise<string> {
    return createTokens(this.get(Config), clock).sign({
      subject,
      email: null,
      reviewer: false,
      expiresInSeconds: 600,
      ...options,
    });
  }

  /** The clients of one service read what the others have written. */
  createApi(credential: string | null = null): Api {
    return new Api(this.url, credential, {}, this.consistency);
  }

  /** Creates a client that reads only its own writes, as the service promises without a token. */
  createSeparateApi(credential: string | null = null): Api {
    return new Api(this.url, credential);
  }

  /** Starts another service on the same stores. The caller closes it before this one stops. */
  async startAnother(environment: Environment = {}): Promise<Service> {
    return new Service(
      await createApp(readTestConfig(this.dataDir, this.stores, environment)),
      this.dataDir,
      this.stores,
    );
  }

  /** Stops the service and removes its folder. */
  async stop(): Promise<void> {
    if (FREEZING) await freezeNewEvents(await readWholeLog(this.get(EventStore)));
    await this.close();
    await this.stores?.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Stops the service. Its folder can be used again. */
  async close(): Promise<void> {
    this.cleanup.cancel();
    await this.running.close();
  }

  private createContext() {
    return createSystemContext(Date.now());
  }
}

/** @param environment variables added to those of the tests; @param more modules added to the application's own */
export async function startService(environment: Environment = {}, more: readonly Type[] = []): Promise<Service> {
  const dataDir = await createTempFolder();
  const stores = ON_EXTERNAL_STORES ? await ExternalStores.open(dataDir) : null;
  return new Service(await createApp(readTestConfig(dataDir, stores, environment), more), dataDir, stores);
}

/**
 * Starts the service in this process on the embedded store of a folder, ten times as fast as a process of its own. The
 * caller closes it and removes the folder.
 */
export async function startServiceOn(dataDir: string, environment: Environment = {}): Promise<Service> {
  return new Service(await createApp(readTestConfig(dataDir, null, environment)), dataDir, null);
}

function readTestConfig(dataDir: string, stores: ExternalStores | null, environment: Environment): Config {
  return readConfig({ ...TEST_ENVIRONMENT, DATA_DIR: dataDir, ...stores?.environment, ...environment }).config;
}

export function createTempFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'service-'));
}
