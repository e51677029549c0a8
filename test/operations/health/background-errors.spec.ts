import { Logger, Module } from '@nestjs/common';
import type { ProductEvent } from '../../../src/commerce/domain/product-events.js';
import { Registry } from '../../../src/engine/registry.js';
import { typesOf } from '../../../src/kernel/event.js';
import { Jobs } from '../../../src/kernel/jobs.js';
import { Leases } from '../../../src/kernel/leases.js';
import { declareQueue } from '../../../src/kernel/queue.js';
import type { Readiness } from '../../../src/operations/health/health.js';
import { EventMessages } from '../../../src/webhooks/streaming/event-messages.js';
import { type Api, requireData } from '../../support/api.js';
import { EventReader } from '../../support/event-reader.js';
import { type Service, startService } from '../../support/service.js';
import { waitFor } from '../../webhooks/webhook-fixture.js';

type ProductCreated = Extract<ProductEvent, { type: 'ProductCreated' }>;

const DUE = '2026-01-01T00:00:00.000Z';
/** The queue of a timer; a job without data makes it fail. */
const TIMERS = 'test-clocks';

interface Line {
  readonly kind: string;
  readonly name: string;
  readonly item?: string;
  readonly err: Error;
}

/** Runs of the faulty work. */
const runs = { reactor: 0, job: 0 };

@Module({})
class FaultyModule {
  constructor(registry: Registry) {
    const fail = (what: string) => {
      throw new TypeError(`planted in a ${what}`);
    };
    registry.add({
      projections: [
        {
          name: 'faultyNotes',
          version: 1,
          id: () => 'note',
          indexes: [],
          on: { ProductCreated: () => fail('projection') },
        },
      ],
      reactors: [
        {
          name: 'faulty-reactor',
          types: typesOf<ProductCreated>({ ProductCreated: true }),
          react: async () => {
            runs.reactor++;
            fail('reactor');
          },
        },
      ],
      jobs: [
        {
          queue: declareQueue({ name: 'faulty-jobs' }),
          concurrency: 1,
          run: async () => {
            runs.job++;
            fail('job');
          },
        },
      ],
    });
  }
}

describe('A TypeError in background work', () => {
  const lines: Line[] = [];
  let service: Service;
  let api: Api;
  let reader: EventReader;

  beforeAll(async () => {
    service = await startService({}, [FaultyModule]);
    const key = await service.createKey(await service.createBusiness());
    api = service.createApi(key);
    Logger.overrideLogger({ error: (line: Line) => lines.push(line), log: () => {}, warn: () => {}, fatal: () => {} });
    reader = await EventReader.open(`${service.url}/v1/webhooks/events/stream`, { authorization: `Bearer ${key}` });
    service.get(EventMessages).write = () => Promise.reject(new TypeError('planted in a stream'));
    plantLeaseError();
    const job = { due: DUE, data: {} };
    await service.get(Jobs).enqueue([
      { key: 'planted', queue: 'faulty-jobs', ...job },
      { key: 'planted timer', queue: TIMERS, due: DUE, data: null as never },
    ]);
    requireData(await api.post('/v1/commerce/products', { name: 'A course' }));
    await waitFor(async () => (runs.reactor > 2 && runs.job > 1 && kindsOf(lines).size === 5 ? true : null));
  });
  afterAll(async () => {
    await reader.cut();
    await service.stop();
    Logger.overrideLogger(false);
  });

  /** The next renewal of the lease of a reactor fails. */
  function plantLeaseError(): void {
    const leases = service.get(Leases);
    const acquire = leases.acquireLease.bind(leases);
    leases.acquireLease = (...args) => {
      if (!args[0].startsWith('reactor:')) return acquire(...args);
      leases.acquireLease = acquire;
      return Promise.reject(new TypeError('planted in a lease'));
    };
  }

  const linesOf = (kind: string, name: string) => lines.filter((line) => line.kind === kind && line.name === name);
  const readiness = async () => (await (await fetch(`${service.running.opsUrl}/health/ready`)).json()) as Readiness;

  it.each([
    ['reactor', 'faulty-reactor'],
    ['projection', 'faultyNotes'],
    ['job', 'faulty-jobs'],
    ['job', TIMERS],
    ['stream', 'event streams'],
    ['lease', 'reactor'],
  ])('writes one line with the stack: %s %s', (kind, name) => {
    const found = linesOf(kind, name);

    expect(found).toHaveLength(1);
    const { err } = found[0]!;
    const cause = (err.cause ?? err) as Error;
    expect(cause.name).toBe('TypeError');
    expect(cause.stack).toContain('\n    at ');
  });

  it('writes nothing else', () => expect(lines).toHaveLength(6));

  it('is named by readiness, which stays green', async () => {
    const { parts, status } = await waitFor(async () => {
      const read = await readiness();
      return read.parts.projections!.detail.includes('planted') ? read : null;
    });

    expect(parts.jobs!.detail).toMatch(/job faulty-jobs \(planted\) failed: TypeError: planted in a job/);
    expect(parts.projections!.detail).toMatch(/projection faultyNotes \(note at \d+\) was parked: PoisonEvent/);
    expect(parts.projections!.detail).toMatch(
      /reactor faulty-reactor \([\w-]+\) failed: TypeError: planted in a reactor/,
    );
    expect(status).toBe('green');
  });

  it('is counted', async () => {
    const metrics = await (await fetch(`${service.running.opsUrl}/metrics`)).text();

    expect(metrics).toContain('background_errors_total{kind="reactor",name="faulty-reactor",outcome="failed"} 1');
    expect(metrics).toContain('background_errors_total{kind="projection",name="faultyNotes",outcome="parked"} 1');
    expect(metrics).toContain('background_errors_total{kind="job",name="faulty-jobs",outcome="failed"} 1');
  });
});

function kindsOf(lines: readonly Line[]): ReadonlySet<string> {
  return new Set(lines.map(({ kind }) => kind));
}
