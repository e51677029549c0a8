import { ConsistencyTokens } from '../../../src/http/server/consistency-tokens.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import type { Api } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';

const KEY = Buffer.alloc(32, 'k').toString('base64');
const KEYS = { MASTER_KEY: KEY, KEY_PEPPER: KEY };
/** A position after every other position. */
const BEYOND = new ConsistencyContext('z');

let services: Service[];
let service: Service;
let session: Api;
beforeAll(async () => {
  services = [await startService(KEYS), await startService(KEYS)];
  service = services[0]!;
  session = service.createSeparateApi(await service.signToken('ann'));
});
afterAll(() => Promise.all(services.map((each) => each.stop())));

const staleness = async (headers?: Record<string, string>) =>
  (await session.get('/v1/businesses', headers)).headers.get('consistency');

describe('A Consistency-Token', () => {
  it('is ignored in another store with the same keys', async () => {
    const [own, foreign] = services.map((each) => each.get(ConsistencyTokens).tokenFor(BEYOND)) as [string, string];

    expect(foreign).not.toBe(own);
    expect(await staleness({ 'consistency-token': own })).toBe('stale');
    expect(await staleness({ 'consistency-token': foreign })).toBeNull();
  });

  it('hides the position in the log', () => {
    const position = '000000000000000000000635';
    const token = service.get(ConsistencyTokens).tokenFor(new ConsistencyContext(position));
    const parts = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));

    expect([token, ...parts].filter((text) => text.includes('635') || text.includes('000'))).toEqual([]);
  });

  it.each(['', 'x', 'nonsense', 'A'.repeat(5_000), '....'])('is ignored when it is %j', async (token) => {
    expect(await staleness({ 'consistency-token': token })).toBeNull();
  });

  it('is used when it is one of several, in any order', async () => {
    const [early, late] = [new ConsistencyContext('0'), BEYOND].map((each) =>
      service.get(ConsistencyTokens).tokenFor(each),
    );

    expect(await staleness({ 'consistency-token': `${late}, ${early}` })).toBe('stale');
    expect(await staleness({ 'consistency-token': `nonsense,${early},${late}` })).toBe('stale');
    expect(await staleness({ 'consistency-token': `${early}, ${early}` })).toBeNull();
  });

  it('is ignored when it was changed', async () => {
    const bytes = Buffer.from(service.get(ConsistencyTokens).tokenFor(BEYOND), 'base64url');
    bytes.writeUInt8(bytes.at(-1)! ^ 1, bytes.length - 1);

    expect(await staleness({ 'consistency-token': bytes.toString('base64url') })).toBeNull();
  });

  it('is the same in each process on its store', async () => {
    const beside = await service.startAnother(KEYS);
    const tokens = [service.running, beside.running].map(({ app }) =>
      app.get(ConsistencyTokens, { strict: false }).tokenFor(BEYOND),
    );
    await beside.running.close();

    expect(tokens[1]).toBe(tokens[0]);
  });

  it('is not remembered as a write of the caller when it is beyond the end of the log', async () => {
    const token = service.get(ConsistencyTokens).tokenFor(BEYOND);
    const written = await session.post('/v1/businesses', { name: 'A' }, { 'consistency-token': token });

    expect(written.status).toBe(201);
    expect(await staleness()).toBeNull();
  });
});
