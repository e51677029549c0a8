import { Global, Module, type Provider, type Type } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Keys } from '../engine/encryption/keys.js';
import { Registry } from '../engine/registry.js';
import { measureAppends, StoreMetrics } from '../engine/store-metrics.js';
import { withUpcasting } from '../engine/upcasting-store.js';
import { BuildCatalogue } from '../kernel/build-catalogue.js';
import { Checkpoints } from '../kernel/checkpoints.js';
import { Clock, ClockOverride, Random, RandomOverride, SystemClock, SystemRandom } from '../kernel/clock.js';
import { EventStore } from '../kernel/event-store.js';
import { Idempotency } from '../kernel/idempotency.js';
import { Jobs } from '../kernel/jobs.js';
import { Leases } from '../kernel/leases.js';
import { ProcessId } from '../kernel/process-id.js';
import { ReadModels } from '../kernel/read-models.js';
import { Vault } from '../kernel/vault.js';
import { currentProcessId } from './process-id.js';
import { Stores } from './stores.js';

type Port = Type<unknown> | (abstract new (...args: never[]) => unknown);

const portProviders: Provider[] = [
  {
    provide: Stores,
    useFactory: (...given: Parameters<typeof Stores.open>) => Stores.open(...given),
    inject: [Config, Clock, Random],
  },
  // The command line has no metrics.
  {
    provide: EventStore,
    useFactory: ({ ports }: Stores, { upcasters, versions }: Registry, clock: Clock, metrics?: StoreMetrics) =>
      withUpcasting(ports.events, upcasters, versions, metrics && measureAppends(metrics, clock)),
    inject: [Stores, Registry, Clock, { token: StoreMetrics, optional: true }],
  },
  providePort(ReadModels, ({ ports }) => ports.models),
  providePort(Checkpoints, ({ ports }) => ports.checkpoints),
  providePort(Leases, ({ ports }) => ports.leases),
  providePort(BuildCatalogue, ({ ports }) => ports.catalogue),
  providePort(Jobs, ({ ports }) => ports.jobs),
  providePort(Idempotency, ({ ports }) => ports.idempotency),
  providePort(Vault, ({ ports }) => ports.vault),
];

const runtimeProviders: Provider[] = [
  {
    provide: Clock,
    useFactory: (override?: ClockOverride) => override ?? new SystemClock(),
    inject: [{ token: ClockOverride, optional: true }],
  },
  {
    provide: Random,
    useFactory: (override?: RandomOverride) => override ?? new SystemRandom(),
    inject: [{ token: RandomOverride, optional: true }],
  },
  { provide: ProcessId, useFactory: () => new ProcessId(currentProcessId()) },
  { provide: Keys, useFactory: (config: Config) => Keys.from(config), inject: [Config] },
];

/** Provides the ports, the clock, the random source, the process id and the two keys. Needs the configuration. */
@Global()
@Module({
  providers: [...portProviders, ...runtimeProviders],
  exports: [
    Stores,
    EventStore,
    ReadModels,
    Checkpoints,
    Leases,
    BuildCatalogue,
    Jobs,
    Idempotency,
    Vault,
    Clock,
    Random,
    ProcessId,
    Keys,
  ],
})
export class StoresModule {}

function providePort(token: Port, selectPort: (stores: Stores) => unknown): Provider {
  return { provide: token, useFactory: selectPort, inject: [Stores] };
}
