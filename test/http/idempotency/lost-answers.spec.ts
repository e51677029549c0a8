import { armCrashPoint } from '../../../src/kernel/crash-points.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { CALLERS } from '../../access/cells.js';
import { type Ids, type Row, TABLE } from '../../access/table.js';
import { AccessFixture } from '../../access/world.js';
import type { Api, ApiResponse } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import { type Service, startService } from '../../support/service.js';
import { LATER_CHANGES, type LaterChange } from '../support/later-changes.js';

const MAX_FILLS = 150;
const rows = TABLE.filter(({ route }) => route in LATER_CHANGES);

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
  service = await startService({ KEY_LIMIT: '20' });
});
afterAll(() => Promise.all([service.stop(), receiver.stop()]));

let keys = 0;

it('There is a later change for every operation that takes an Idempotency-Key', async () => {
  const { paths } = (await service.createApi().get('/openapi.json')).body as Document;
  const keyed = Object.entries(paths).filter(([, { post }]) =>
    post?.parameters?.some(({ $ref }) => $ref?.includes('/IdempotencyKey')),
  );

  expect(keyed.map(([path]) => `POST ${path.replace(/{(\w+)}/g, ':$1')}`).sort()).toEqual(
    Object.keys(LATER_CHANGES).sort(),
  );
});

describe('A request whose response was lost, although it was done', () => {
  it.each(rows.map((row) => [row.route, row, LATER_CHANGES[row.route]!] as const))(
    '%s gets its recorded result, also after a later change',
    async (_, row, later) => {
      const world = await AccessFixture.create(service, receiver);
      const api = await world.apiFor(
        CALLERS.find((caller) => row.cells[caller] === 'ok')!,
        row.naming ?? false,
      );
      const ids = (await (later.ids ?? row.ids)?.(world)) ?? {};
      const body = await (later.body ?? row.body)?.(world, ids);
      const send = (key?: string) => sendRequest(api, row, ids, body, key);
      const key = `lost ${++keys}`;
      armCrashPoint({ point: 'after-command-before-answer', hit: 1 }, () => {
        throw new StoreUnavailable('the response is lost', true);
      });
      expect((await send(key)).status).toBe(503);
      await makeChange(later, send, () => api, ids, world);
      if (later.refusal !== null) expect((await send()).body.code).toBe(later.refusal);

      const repeated = await send(key);
      expect([repeated.status, repeated.body.code]).toEqual([okOf(row), undefined]);
      expect((await send(key)).text).toBe(repeated.text);
    },
  );
});

const okOf = ({ ok, route }: Row) =>
  route.endsWith('/cancellations') ? 200 : route.endsWith('replay-jobs') ? 201 : ok;

async function makeChange(
  { change }: LaterChange,
  send: () => Promise<ApiResponse>,
  api: () => Api,
  ids: Ids,
  world: AccessFixture,
): Promise<void> {
  if (change === undefined) return;
  if (change !== 'fill') return void (await change(api(), ids, world));
  for (let sent = 0; (await send()).status < 300; sent++)
    if (sent === MAX_FILLS) throw new Error(`The request is not refused after ${MAX_FILLS} times`);
}

/** Without a key of its own, the request gets a new one. */
function sendRequest(api: Api, { route }: Row, ids: Ids, body: object | undefined, key = `new ${++keys}`) {
  const path = route.replace('POST ', '').replace(/:(\w+)/g, (_, name: string) => ids[name]!);
  return api.post(path, body, { 'idempotency-key': key });
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly post?: { readonly parameters?: readonly { $ref?: string }[] } }>>;
}
