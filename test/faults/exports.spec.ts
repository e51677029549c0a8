import { rm } from 'node:fs/promises';
import type { NewEvent, RecordedEvent } from '../../src/kernel/event.js';
import { type ApiResponse, requireData } from '../support/api.js';
import { findBrokenExports } from '../support/invariants/hash-chains.js';
import { createOwnerKey } from '../support/owner-key.js';
import { createTempFolder } from '../support/service.js';
import type { ServiceProcess } from '../support/service-process.js';
import { StoreInspector } from '../support/store-inspector.js';
import { waitFor } from '../webhooks/webhook-fixture.js';
import { RestartingService } from './restarting-service.js';

/** The file has several chunks of 256 KiB. */
const EVENTS = 2_000;
const CRASHES = ['mid-export:1', 'mid-export:1', 'mid-export:2'];
const EXPORTS = '/v1/audit/exports';
const MINUTE_MS = 60_000;
const AT = '2026-02-01T09:00:00.000Z';

describe(`An export of ${EVENTS} events whose process is killed between its chunks`, () => {
  let dataDir: string;
  let inspector: StoreInspector;
  let restartingService: RestartingService;
  let done: ApiResponse['body'];
  let log: readonly RecordedEvent[];

  beforeAll(async () => {
    dataDir = await createTempFolder();
    restartingService = new RestartingService(dataDir, {});
    const service = await restartingService.start();
    const key = await createOwnerKey(service);
    const { business } = requireData(await service.createApi(key).get('/v1/auth/me'));
    await restartingService.kill9();
    inspector = await StoreInspector.open(dataDir);
    await recordReads(inspector, business.id);
    done = await exportWithCrashes(key);
    log = await inspector.readLog();
  }, 5 * MINUTE_MS);
  afterAll(async () => {
    await restartingService.dispose();
    await inspector.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function exportWithCrashes(key: string): Promise<ApiResponse['body']> {
    const request = (service: ServiceProcess) => void service.createApi(key).post(EXPORTS, {});
    const ends = [];
    for (const [i, crash] of CRASHES.entries())
      ends.push(await restartingService.crashAt(crash, i === 0 ? request : undefined));
    expect(ends).toEqual(CRASHES.map(() => 'SIGKILL'));

    const api = (await restartingService.start()).createApi(key);
    return waitFor(async () => {
      const [found] = (await api.get(EXPORTS)).body.data ?? [];
      return found?.status === 'completed' ? found : null;
    }, MINUTE_MS);
  }

  it('has every event once, in a file that verifies', async () => {
    expect(done.manifest.count).toBeGreaterThan(EVENTS);
    expect(await findBrokenExports(inspector, log)).toEqual([]);
  });

  it('was started and completed once', () => {
    const steps = log.map(({ type }) => type).filter((type) => type.startsWith('AuditExport'));
    expect(steps).toEqual([
      'AuditExportSlotClaimed',
      'AuditExportRequested',
      'AuditExportStarted',
      'AuditExportCompleted',
    ]);
  });
});

/** Records events that no projection but those of the change history reads. */
async function recordReads({ events }: StoreInspector, business: string): Promise<void> {
  const numbers = Array.from({ length: EVENTS }, (_, n) => n);
  await Promise.all(numbers.map((n) => events.append(`auditRead-read_${n}`, 'none', [createRead(n, business)])));
}

function createRead(n: number, business: string): NewEvent {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const actor = { type: 'system', id: 'tests' } as const;
  const cause = { command: 'RecordAuditRead', commandId: id, correlationId: id, causationId: id, actor, business };
  const data = { readId: `read_${n}`, kind: 'events', target: null, filter: {} };
  return { id, type: 'AuditHistoryRead', data, meta: { at: AT, ...cause, mode: 'live', requestId: null, v: 1 } };
}
