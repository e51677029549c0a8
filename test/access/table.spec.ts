import type { ApiResponse } from '../support/api.js';
import { Receiver } from '../support/receiver.js';
import { RouteList } from '../support/routes.js';
import { type Service, startService } from '../support/service.js';
import { type CallerName, CALLERS } from './cells.js';
import { type Ids, type Row, TABLE } from './table.js';
import { AccessFixture } from './world.js';

const KEY_SERVER_DOWN = 'http://127.0.0.1:1/';
const SESSION_WITHOUT_KEYS: CallerName = 'session while the key server is down';
/** Allows one endpoint per cell that writes, and keeps open deliveries open until the end. */
const TIMEOUT_MS = { WEBHOOK_ENDPOINT_LIMIT: '10000', WEBHOOK_TIMEOUT_MS: '600000' };

let receiver: Receiver;
let service: Service;
let withoutKeys: Service;
let live: AccessFixture;
let test: AccessFixture;
beforeAll(async () => {
  receiver = await Receiver.start();
  service = await startService(TIMEOUT_MS, [RouteList]);
  withoutKeys = await startService({
    SESSION_JWKS: KEY_SERVER_DOWN,
    SESSION_ISSUER: 'development',
    SESSION_AUDIENCE: 'event-sourced-api',
  });
  [live, test] = [await AccessFixture.create(service, receiver), await AccessFixture.create(service, receiver, 'test')];
});
afterAll(() => Promise.all([service.stop(), withoutKeys.stop(), receiver.stop()]));

/** The resources of each row for requests that are refused, which change nothing. */
const refusedIds = new Map<Row, Promise<Ids>>();

/** Creates resources for each request that succeeds, and once for all requests of a row that are refused. */
async function createIds(row: Row, outcome: string): Promise<Ids | undefined> {
  if (outcome === 'ok') return row.ids?.(live);

  const ids = refusedIds.get(row) ?? row.ids?.(live);
  if (ids !== undefined) refusedIds.set(row, ids);
  return ids;
}

/** Sends the request of the row, with new resources or with the given ids. */
async function sendRequest(row: Row, caller: CallerName, world: AccessFixture, ids?: Ids): Promise<ApiResponse> {
  const api =
    caller === SESSION_WITHOUT_KEYS
      ? withoutKeys.createApi(world.token)
      : await world.apiFor(caller, row.naming ?? false);
  const [method, path] = row.route.split(' ') as [string, string];
  const named = ids ?? (await row.ids?.(world)) ?? {};
  const headers = { 'x-request-id': 'asked', ...row.headers?.() };
  return api.send(method, fillPath(path, named), await row.body?.(world), headers);
}

function fillPath(path: string, ids: Ids): string {
  return path.replace(/:(\w+)/g, (_, name: string) => ids[name]!);
}

const outcomeOf = (row: Row, { status, body }: ApiResponse) =>
  [row.ok].flat().includes(status) ? 'ok' : (body.code as string);

describe('The table of permissions', () => {
  it('has a row for every route of the application, and no other row', () => {
    const served = service
      .get(RouteList)
      .routes.filter(({ method }) => method !== 'HEAD')
      .map(({ method, path }) => `${method} ${path}`);

    expect(TABLE.map(({ route }) => route).sort()).toEqual(served.sort());
  });
});

describe.each(TABLE.map((row) => [row.route, row] as const))('%s', (_, row) => {
  it.each(CALLERS.map((caller) => [caller, row.cells[caller]] as const))('as %s: %s', async (caller, outcome) => {
    const ids = await createIds(row, outcome);
    expect(outcomeOf(row, await sendRequest(row, caller, live, ids))).toBe(outcome);
  });
});

describe('In test mode', () => {
  const inOneMode = ['live_key_required', 'permission_denied'];
  const inBothModes = TABLE.filter(
    ({ cells }) => !inOneMode.includes(cells['test key']) && !inOneMode.includes(cells['secret key']),
  );

  it.each(inBothModes.map((row) => [row.route, row] as const))(
    '%s is for a test key what it is for a live one in live mode',
    async (_, row) => {
      expect(outcomeOf(row, await sendRequest(row, 'test key', test))).toBe(row.cells['secret key']);
      expect(outcomeOf(row, await sendRequest(row, 'secret key', test))).toBe(row.cells['test key']);
    },
  );
});

describe('A resource of another business', () => {
  const hidden = TABLE.flatMap((row) =>
    CALLERS.filter((caller) => row.cells[caller] === 'not_found').map((caller) => [row.route, caller, row] as const),
  );

  it.each(hidden)('is unknown: %s as %s', async (_, caller, row) => {
    const ids = await row.ids!(live);
    const found = await sendRequest(row, caller, live, ids);

    for (const unknown of [renameIds(ids, toUnknownId), renameIds(ids, () => 'nonsense')]) {
      const missed = await sendRequest(row, caller, live, unknown);
      expect([missed.status, missed.text]).toEqual([found.status, found.text]);
      expect([...missed.headers.keys()]).toEqual([...found.headers.keys()]);
    }
  });
});

function renameIds(ids: Ids, to: (id: string) => string): Ids {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, to(id)]));
}

function toUnknownId(id: string): string {
  return id.replace(/(?<=_).*/, (characters) => '0'.repeat(characters.length));
}
