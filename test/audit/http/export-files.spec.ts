import { ExportFiles } from '../../../src/audit/exports/export-files.js';
import { ExportRunner } from '../../../src/audit/exports/export-runner.js';
import { Jobs } from '../../../src/kernel/jobs.js';
import { type Api, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { startService } from '../../support/service.js';

const EXPORTS = '/v1/audit/exports';
const KEPT_BYTES = 40_000;

type ExportRecord = { readonly id: string; readonly file_removed_at: string | null };

async function startWithKey(environment: Readonly<Record<string, string>> = {}) {
  const service = await startService(environment);
  return { service, api: service.createApi(await service.createKey(await service.createBusiness('A', 'A'))) };
}

async function runExport(api: Api, body: object) {
  const { id } = requireData(await api.post(EXPORTS, body));
  return eventually(
    async () => requireData(await api.get(`${EXPORTS}/${id}`)),
    ({ status }) => status === 'completed' || status === 'failed',
  );
}

const listKept = (exports: ExportRecord[]) => exports.filter((one) => one.file_removed_at === null).map(({ id }) => id);

const hasFile = async (api: Api, id: string) => (await api.get(`${EXPORTS}/${id}/file`)).status === 200;

describe('The files of the exports of a business', () => {
  it('are removed oldest first when they exceed the limit, and the records say so', async () => {
    const { service, api } = await startWithKey({ AUDIT_EXPORT_KEPT_BYTES: String(KEPT_BYTES) });
    const done = [];
    for (let day = 1; day <= 7; day++) done.unshift(await runExport(api, { recorded_from: `2020-01-0${day}` }));
    let sum = 0;
    const kept = done.filter(({ bytes }) => (sum += bytes) <= KEPT_BYTES).map(({ id }) => id);
    const listed = await eventually(
      async () => requireData(await api.get(EXPORTS)),
      (found) => listKept(found).length === kept.length,
    );
    const files = await Promise.all(done.map(({ id }) => hasFile(api, id)));
    const oldest = listed.at(-1);
    await eventually(
      () => service.get(ExportFiles).findLast(oldest.id),
      (last) => last === null,
    );
    await service.stop();

    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(done.length);
    expect(listKept(listed)).toEqual(kept);
    expect(files).toEqual(done.map(({ id }) => kept.includes(id)));
    expect(oldest).toMatchObject({ status: 'completed', bytes: done.at(-1)!.bytes });
  });

  it('are not written beyond the limit', async () => {
    const { service, api } = await startWithKey({ AUDIT_EXPORT_KEPT_BYTES: '1000' });
    const failed = await runExport(api, {});
    const file = await api.get(`${EXPORTS}/${failed.id}/file`);
    await eventually(
      () => service.get(ExportFiles).findLast(failed.id),
      (last) => last === null,
    );
    await service.stop();

    expect(failed).toMatchObject({ status: 'failed', error: 'file_too_large', bytes: null, manifest: null });
    expect([file.status, file.body.code]).toEqual([422, 'export_failed']);
  });
});

describe('A deleted export', () => {
  it('is shown once more, and then it and its file are unknown', async () => {
    const { service, api } = await startWithKey();
    const done = await runExport(api, {});
    const deleted = await api.delete(`${EXPORTS}/${done.id}`);
    const paths = [`${EXPORTS}/${done.id}`, `${EXPORTS}/${done.id}/file`];
    const after = await Promise.all(paths.map((path) => api.get(path)));
    const again = await api.delete(paths[0]!);
    const { pagination } = (await api.get(EXPORTS)).body;
    await eventually(
      () => service.get(ExportFiles).findLast(done.id),
      (last) => last === null,
    );
    await service.stop();

    expect([deleted.status, deleted.body.data]).toEqual([200, done]);
    expect([...after, again].map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([404, 'not_found']));
    expect(pagination.total_count).toBe(0);
  });

  it('causes no error when its file is dropped during a step', async () => {
    const { service, api } = await startWithKey();
    const files = service.get(ExportFiles);
    const [isPrepared, isDropped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    files.prepare = async (exportId) => {
      await ExportFiles.prototype.prepare.call(files, exportId);
      isPrepared.resolve();
      await isDropped.promise;
    };
    const { id } = requireData(await api.post(EXPORTS, {}));
    await isPrepared.promise;
    await api.delete(`${EXPORTS}/${id}`);
    await files.drop(id);
    isDropped.resolve();
    await eventually(
      () => service.get(Jobs).find(`audit-export:${id}`),
      (job) => job === null,
    );
    const metrics = await (await fetch(`${service.running.opsUrl}/metrics`)).text();
    await service.stop();

    expect(metrics).toContain('background_errors_total{kind="job",name="audit-exports",outcome="failed"} 0');
  });

  it('stops while it is written, frees its slot and leaves no file', async () => {
    const { service, api } = await startWithKey({ AUDIT_EXPORT_LIMIT: '1' });
    const runner = service.get(ExportRunner);
    const runStep = runner.runStep.bind(runner);
    const [isRunning, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const steps: boolean[] = [];
    runner.runStep = async (...args) => {
      if (steps.length === 2) isRunning.resolve();
      if (steps.length === 2) await released.promise;
      steps.push(await runStep(...args));
      return steps.at(-1)!;
    };
    const { id } = requireData(await api.post(EXPORTS, {}));
    await isRunning.promise;
    const hadFile = (await service.get(ExportFiles).findLast(id)) !== null;
    const deleted = await api.delete(`${EXPORTS}/${id}`);
    const next = await api.post(EXPORTS, { format: 'csv' });
    released.resolve();
    await eventually(
      async () => ({ steps: [...steps], last: await service.get(ExportFiles).findLast(id) }),
      (found) => found.steps.includes(true) && found.last === null,
    );
    await service.stop();

    expect(hadFile).toBe(true);
    expect([deleted.status, deleted.body.data.status]).toEqual([200, 'running']);
    expect(next.status).toBe(201);
  });
});

describe('A repeated request for an export', () => {
  it('returns the export that exists, until something else is recorded', async () => {
    const { service, api } = await startWithKey({ AUDIT_EXPORT_LIMIT: '1' });
    const open = requireData(await api.post(EXPORTS, {}));
    const whileOpen = requireData(await api.post(EXPORTS, {}));
    const done = await runExport(api, { format: 'ndjson' });
    const csv = await runExport(api, { format: 'csv' });
    const after = requireData(await api.post(EXPORTS, {}));
    await api.post('/v1/commerce/discounts', { code: 'first', percent_off: 20 });
    const later = await runExport(api, {});
    await api.delete(`${EXPORTS}/${later.id}`);
    const afterDeletion = await runExport(api, {});
    await service.stop();

    expect([whileOpen.id, done.id]).toEqual([open.id, open.id]);
    expect(after).toEqual(done);
    expect(new Set([done.id, csv.id, later.id, afterDeletion.id]).size).toBe(4);
  });

  it('creates another export when the other mode has recorded something', async () => {
    const service = await startService();
    const business = await service.createBusiness('A', 'A');
    const [live, test] = await Promise.all(
      (['live', 'test'] as const).map(async (mode) => service.createApi(await service.createKey(business, { mode }))),
    );
    const first = await runExport(live!, {});
    await test!.post('/v1/commerce/discounts', { code: 'first', percent_off: 20 });
    const second = await runExport(live!, {});
    await service.stop();

    expect(second.id).not.toBe(first.id);
  });
});
