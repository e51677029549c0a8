import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { createApp, type RunningApp } from '../../src/app.js';
import { Config, readConfig } from '../../src/config.js';
import { ApiKeys, type NewApiKey } from '../../src/identity/api-keys.js';
import { CreateBusiness } from '../../src/identity/commands/business.commands.js';
import type { TokenWish } from '../../src/identity/development-tokens.js';
import { identityContext } from '../../src/identity/identity-context.js';
import { Users } from '../../src/identity/users.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { Api } from './api.js';
import { FREEZING, freezeNews } from './histories.js';
import { closeAtEnd } from './leftovers.js';
import { ON_REAL_STORES, RealStores } from './real-stores/real-stores.js';
import { TEST_ENVIRONMENT, type Environment } from './service-process.js';
import { tokensOf } from './tokens.js';
import { wholeLog } from './whole-log.js';

export interface TestBusiness {
  readonly id: string;
  /** The user that owns the business. */
  readonly ownerId: string;
  readonly ownerSubject: string;
}

export type KeyWish = Partial<Pick<NewApiKey, 'mode' | 'access' | 'name' | 'expiresAt'>>;

/** The whole service in this process, with real HTTP: on an embedded store in a new folder, or on external stores. */
export class Service {
  private readonly leftover = closeAtEnd(() => this.running.close());

  constructor(
    readonly running: RunningApp,
    readonly dataDir: string,
    /** Null with the embedded store. */
    readonly stores: RealStores | null,
  ) {}

  get url(): string {
    return this.running.url;
  }

  get<T>(type: Type<T> | (abstract new (...args: never[]) => T)): T {
    return this.running.app.get<T>(type, { strict: false });
  }

  async business(name = 'A business', ownerSubject = 'owner'): Promise<TestBusiness> {
    const ownerId = await this.get(Users).ofSubject(ownerSubject, null);
    const { id } = await this.get(CommandBus).execute(new CreateBusiness(this.context(), name, ownerId));
    return { id, ownerId, ownerSubject };
  }

  /** Creates an API key and returns its plaintext; by default a live secret key. */
  async key({ id: businessId, ownerId: userId }: TestBusiness, wish: KeyWish = {}): Promise<string> {
    const wanted = { businessId, userId, name: 'A key', mode: 'live', access: 'full', expiresAt: null, ...wish } as const;
    const { secret } = await this.get(ApiKeys).create(wanted, this.context());
    return secret!;
  }

  token(subject: string, wish: Partial<TokenWish> = {}): Promise<string> {
    return tokensOf(this.get(Config)).sign({ subject, email: null, reviewer: false, expiresInSeconds: 600, ...wish });
  }

  api(credential: string | null = null): Api {
    return new Api(this.url, credential);
  }

  /** Starts another service on the same stores. The caller closes it before this one stops. */
  async again(environment: Environment = {}): Promise<Service> {
    return new Service(await createApp(configOf(this.dataDir, this.stores, environment)), this.dataDir, this.stores);
  }

  async stop(): Promise<void> {
    if (FREEZING) await freezeNews(await wholeLog(this.get(EventStore)));
    this.leftover.closed();
    await this.running.close();
    await this.stores?.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private context() {
    return identityContext(Date.now());
  }
}

/** @param environment variables added to those of the tests; @param more modules added to the application's own */
export async function startService(environment: Environment = {}, more: readonly Type[] = []): Promise<Service> {
  const dataDir = await freshFolder();
  const stores = ON_REAL_STORES ? await RealStores.open(dataDir) : null;
  return new Service(await createApp(configOf(dataDir, stores, environment), more), dataDir, stores);
}

function configOf(dataDir: string, stores: RealStores | null, environment: Environment): Config {
  return readConfig({ ...TEST_ENVIRONMENT, DATA_DIR: dataDir, ...stores?.environment, ...environment }).config;
}

export function freshFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'service-'));
}
