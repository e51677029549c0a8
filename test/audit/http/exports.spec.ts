import { parsePublicKey } from '../../../src/audit/chain/checkpoint-signature.js';
import { verifyExport } from '../../../src/audit/chain/export-verification.js';
import { ExportFiles } from '../../../src/audit/exports/export-files.js';
import { auditChains, COPY_INTERVAL } from '../../../src/audit/projections/audit-chains.js';
import { BuildCatalogue } from '../../../src/kernel/build-catalogue.js';
import { DAY_MS, MAX_CLOCK_SKEW_MS } from '../../../src/kernel/clock.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { ReadModels } from '../../../src/kernel/read-models.js';
import { CommerceFixture } from '../../commerce/commerce-fixture.js';
import { requireData } from '../../support/api.js';
import { findActiveBuild } from '../../support/builds.js';
import { eventually } from '../../support/eventually.js';
import type { Service } from '../../support/service.js';
import { createChainedEvent } from '../chain/chained-log.js';

const CHAIN = '/v1/audit/chain';
const EXPORTS = '/v1/audit/exports';
/** The number of appends at a time. */
const PARALLEL = 100;
/** The events that this spec has recorded itself. */
let recorded = 0;

describe('An audit export', () => {
  let shop: CommerceFixture;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
    await shop.api.post('/v1/commerce/discounts', { code: 'first', percent_off: 20 });
    await shop.api.post('/v1/commerce/discounts', { code: 'second', percent_off: 30 });
  });
  afterAll(() => shop.service.stop());

  const readChain = async () => requireData(await shop.api.get(CHAIN));

  async function runExport(body: object) {
    const { id, status } = requireData(await shop.api.post(EXPORTS, body));
    expect(['pending', 'completed']).toContain(status);
    const done = await eventually(
      async () => requireData(await shop.api.get(`${EXPORTS}/${id}`)),
      (found) => found.status === 'completed',
    );
    return { done, file: await shop.api.get(`${EXPORTS}/${id}/file`) };
  }

  const verify = async ({ done, file }: Awaited<ReturnType<typeof runExport>>) => {
    const { signing_key: key } = await readChain();
    return verifyExport([Buffer.from(file.text)], done.manifest, parsePublicKey(key.public_key));
  };

  it('contains every event of the business and its mode, and verifies by itself', async () => {
    const exported = await runExport({ format: 'ndjson' });
    const { done, file } = exported;

    expect(file.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${done.id}.ndjson"`);
    expect(Number(file.headers.get('content-length'))).toBe(done.bytes);
    expect(await verify(exported)).toEqual({ events: done.manifest.count, mismatch: null });
    expect(done.manifest).toMatchObject({
      object: 'export_manifest',
      export: { object: 'audit_export', id: done.id },
      business: shop.businessId,
      format: 'ndjson',
      checkpoint: { count: done.manifest.chain.count, head: done.manifest.chain.head },
    });
    const events = file.text.split('\n').filter((line) => line.includes('"object":"event"'));
    expect(events.map((line) => JSON.parse(line).event.type)).toEqual(
      expect.arrayContaining(['DiscountCreated', 'AuditExportRequested']),
    );
  });

  it('holds the leaves of all other events when it has a filter', async () => {
    const exported = await runExport({ format: 'csv', types: ['DiscountCreated'], recorded_from: '2020-01-01' });
    const { done, file } = exported;

    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(done.manifest.count).toBe(2);
    expect(await verify(exported)).toEqual({ events: 2, mismatch: null });
    expect(file.text.match(/^leaf,/gm)).toHaveLength(done.manifest.chain.count - 2);
  });

  it('starts at a stored head before its range in a long history', async () => {
    const other = await CommerceFixture.createIn(shop.service, 'live');
    await recordReads(shop.service, other.businessId, 2.5 * COPY_INTERVAL);
    const recorded_from = new Date(Date.now() - DAY_MS / 2).toISOString();
    const { id } = requireData(await other.api.post(EXPORTS, { recorded_from }));
    const { manifest } = await eventually(
      async () => requireData(await other.api.get(`${EXPORTS}/${id}`)),
      ({ status }) => status === 'completed',
    );
    const { text } = await other.api.get(`${EXPORTS}/${id}/file`);
    const { signing_key: key } = await readChain();

    expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({ object: 'chain_start', count: 2 * COPY_INTERVAL });
    expect((await verifyExport([Buffer.from(text)], manifest, parsePublicKey(key.public_key))).mismatch).toBeNull();
  });

  it.each([
    ['by a moment', 1],
    ['by as much as clocks may differ', MAX_CLOCK_SKEW_MS - 1],
  ])('contains an event before a stored head that is dated later than the head %s', async (_, ms) => {
    const other = await CommerceFixture.createIn(shop.service, 'live');
    const at = Date.now() - DAY_MS;
    await recordReads(shop.service, other.businessId, 1, at + ms);
    await recordReads(shop.service, other.businessId, COPY_INTERVAL, at);
    const { id } = requireData(
      await other.api.post(EXPORTS, { recorded_from: new Date(at + 1).toISOString(), types: ['AuditHistoryRead'] }),
    );
    const { manifest } = await eventually(
      async () => requireData(await other.api.get(`${EXPORTS}/${id}`)),
      ({ status }) => status === 'completed',
    );

    expect(manifest.count).toBe(1);
  });

  it('holds only the events of one resource', async () => {
    const discount = requireData(await shop.api.post('/v1/commerce/discounts', { code: 'third', percent_off: 10 }));
    const exported = await runExport({ resource: discount.id });

    expect(exported.done.manifest.count).toBeGreaterThanOrEqual(1);
    expect(exported.file.text).toContain(discount.id);
    expect((await verify(exported)).mismatch).toBeNull();
  });

  it('has no file after the store has moved without it', async () => {
    const { done } = await runExport({});
    await shop.service.get(ExportFiles).drop(done.id);

    expect((await shop.api.get(`${EXPORTS}/${done.id}/file`)).status).toBe(404);
  });

  it('is listed for its own business and mode alone', async () => {
    const { done } = await runExport({});
    const listed = (await shop.api.get(EXPORTS)).body;

    expect(listed.data[0]).toEqual(done);
    expect(listed.pagination.total_count).toBe(listed.data.length);
    for (const mode of ['live', 'test'] as const) {
      const other = await CommerceFixture.createIn(shop.service, mode);
      expect((await other.api.get(EXPORTS)).body.data).toEqual([]);
      expect((await other.api.get(`${EXPORTS}/${done.id}`)).status).toBe(404);
      expect((await other.api.get(`${EXPORTS}/${done.id}/file`)).status).toBe(404);
    }
  });

  it('signs a checkpoint that the chain lists', async () => {
    const { done } = await runExport({});
    const chain = await eventually(readChain, ({ count }) => count > done.manifest.chain.count);

    expect(chain.checkpoints).toContainEqual({
      object: 'audit_checkpoint',
      ...done.manifest.checkpoint,
      public_key: chain.signing_key.public_key,
    });
  });

  it('fails when the log does not fit the chain, and then has no file', async () => {
    const other = await CommerceFixture.createIn(shop.service, 'live');
    await other.api.post('/v1/commerce/discounts', { code: 'first', percent_off: 20 });
    requireData(await other.api.get(CHAIN));
    await forgeHead(shop.service, other.businessId);
    const { id } = requireData(await other.api.post(EXPORTS, {}));
    const failed = await eventually(
      async () => requireData(await other.api.get(`${EXPORTS}/${id}`)),
      ({ status }) => status === 'failed',
    );

    expect(failed).toMatchObject({ error: 'chain_mismatch', manifest: null });
    expect(await other.api.get(`${EXPORTS}/${id}/file`)).toMatchObject({
      status: 422,
      body: { code: 'export_failed' },
    });
  });

  it('is repeated under the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'export-1' };
    const [first, second] = [await shop.api.post(EXPORTS, {}, headers), await shop.api.post(EXPORTS, {}, headers)];

    expect(second.text).toBe(first.text);
  });

  it.each([
    [{ format: 'xml' }, 'format'],
    [{ types: ['Unknown'] }, 'types[0]'],
    [{ recorded_from: 'yesterday' }, 'recorded_from'],
    [{ resource: 7 }, 'resource'],
    [{ resource: '' }, 'resource'],
  ])('refuses %j', async (body, param) => {
    const { status, body: problem } = await shop.api.post(EXPORTS, body);

    expect(status).toBe(422);
    expect(problem.errors.map((error: { param: string }) => error.param)).toEqual([param]);
  });
});

async function forgeHead(service: Service, businessId: string): Promise<void> {
  const readModels = service.get(ReadModels);
  const build = await findActiveBuild(auditChains, service.get(BuildCatalogue));
  const [row] = await readModels.load(build, [businessId]);
  const document = { ...row!.document, head: '0'.repeat(64) };
  expect(await readModels.compareAndSet(build, { ...row!, document }, row!.position)).toBe(true);
}

/** Records events of one time, by default of the day before. */
async function recordReads(
  service: Service,
  business: string,
  count: number,
  time = Date.now() - DAY_MS,
): Promise<void> {
  const at = new Date(time).toISOString();
  const record = async () => {
    const n = ++recorded;
    const { id, meta } = createChainedEvent(n);
    const data = { readId: `read_${n}`, kind: 'events', target: null, filter: {} };
    const event = { id, type: 'AuditHistoryRead', data, meta: { ...meta, business, at } };
    await service.get(EventStore).append(`auditRead-read_${n}`, 'none', [event]);
  };
  for (let n = 0; n < count; n += PARALLEL)
    await Promise.all(Array.from({ length: Math.min(PARALLEL, count - n) }, record));
}
