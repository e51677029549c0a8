import { Global, Module, type Provider, type Type } from '@nestjs/common';
import { Config } from '../config.js';
import { Holder } from '../kernel/holder.js';
import { Keys } from '../engine/sealing/keys.js';
import { observed, observedIdempotency, Observer } from '../engine/observed.js';
import { Registry } from '../engine/registry.js';
import { upcasting } from '../engine/upcasting-store.js';
import { Clock, Random, SystemClock, SystemRandom } from '../kernel/clock.js';
import { EventStore } from '../kernel/event-store.js';
import { Idempotency } from '../kernel/idempotency.js';
import { Jobs } from '../kernel/jobs.js';
import { ReadModels } from '../kernel/read-models.js';
import { Vault } from '../kernel/vault.js';
import { thisHolder } from './holder.js';
import { Stores } from './stores.js';

/** The metrics of the stores; the command line has no metrics. */
const OBSERVER = { token: Observer, optional: true };

type Port = Type<unknown> | (abstract new (...args: never[]) => unknown);

const ports: Provider[] = [
  { provide: Stores, useFactory: (...given: Parameters<typeof Stores.open>) => Stores.open(...given), inject: [Config, Clock, Random] },
  {
    provide: EventStore,
    useFactory: ({ ports }: Stores, { upcasters, versions }: Registry, clock: Clock, observer?: Observer) =>
      upcasting(observed(ports.events, observer, clock), upcasters, versions),
    inject: [Stores, Registry, Clock, OBSERVER],
  },
  port(ReadModels, ({ ports }) => ports.models),
  port(Jobs, ({ ports }) => ports.jobs),
  {
    provide: Idempotency,
    useFactory: ({ ports }: Stores, observer?: Observer) => observedIdempotency(ports.idempotency, observer),
    inject: [Stores, OBSERVER],
  },
  port(Vault, ({ ports }) => ports.vault),
];

const surroundings: Provider[] = [
  { provide: Clock, useClass: SystemClock },
  { provide: Random, useClass: SystemRandom },
  { provide: Holder, useFactory: () => new Holder(thisHolder()) },
  { provide: Keys, useFactory: (config: Config) => Keys.from(config), inject: [Config] },
];

/** Provides the five ports, the clock, the random source, the process id and the two keys. Needs the configuration. */
@Global()
@Module({
  providers: [...ports, ...surroundings],
  exports: [Stores, EventStore, ReadModels, Jobs, Idempotency, Vault, Clock, Random, Holder, Keys],
})
export class StoresModule {}

function port(token: Port, of: (stores: Stores) => unknown): Provider {
  return { provide: token, useFactory: of, inject: [Stores] };
}
