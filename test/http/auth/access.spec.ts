import { type Service, startService, type TestBusiness } from '../../support/service.js';
import { ProbeModule } from '../support/probe.js';

let service: Service;
let business: TestBusiness;
let foreign: TestBusiness;
const credentials: Record<string, string> = {};
beforeAll(async () => {
  service = await startService({ PLATFORM_REVIEWERS: 'listed' }, [ProbeModule]);
  business = await service.createBusiness();
  foreign = await service.createBusiness('Foreign', 'somebody');
  credentials.key = await service.createKey(business);
  credentials.readOnly = await service.createKey(business, { access: 'read_only' });
  credentials.test = await service.createKey(business, { mode: 'test' });
  credentials.session = await service.signToken('owner');
});
afterAll(() => service.stop());

type Cell = readonly [who: string, header: 'none' | 'own' | 'foreign' | 'unknown', answer: number | string];

function cells(method: 'GET' | 'POST', path: string, table: readonly Cell[]): void {
  it.each(table)(`${method} ${path} as %s with %s business is %s`, async (who, header, answer) => {
    const named = { none: undefined, own: business.id, foreign: foreign.id, unknown: 'biz_unknown' }[header];
    const headers = named === undefined ? undefined : { 'x-service-business-id': named };
    const body = method === 'POST' ? { name: 'a' } : undefined;
    const reply = await service.createApi(credentials[who]).send(method, path, body, headers);

    expect(typeof answer === 'number' ? reply.status : reply.body.code).toBe(answer);
  });
}

describe('Access', () => {
  cells('GET', '/v1/commerce/probes', [
    ['key', 'none', 200],
    ['key', 'own', 200],
    ['key', 'foreign', 'business_access_denied'],
    ['readOnly', 'none', 200],
    ['test', 'none', 200],
    ['session', 'none', 'business_access_denied'],
    ['session', 'own', 200],
    ['session', 'foreign', 'business_access_denied'],
    ['session', 'unknown', 'business_access_denied'],
  ]);
  cells('POST', '/v1/commerce/probes', [
    ['readOnly', 'none', 'read_only_key'],
    ['session', 'own', 201],
  ]);
  cells('POST', '/v1/community/probes', [
    ['key', 'none', 201],
    ['test', 'none', 'live_key_required'],
    ['session', 'none', 201],
    ['session', 'foreign', 'business_access_denied'],
  ]);
  cells('POST', '/v1/businesses', [
    ['key', 'none', 'permission_denied'],
    ['readOnly', 'none', 'read_only_key'],
    ['session', 'none', 201],
  ]);

  it('lets a session choose its mode, but not a key', async () => {
    const mode = async (who: string, named: string) =>
      (await service.createApi(credentials[who]).get('/v1/auth/me', { 'x-service-mode': named })).body.data
        ?.mode as unknown;

    expect(await mode('session', 'test')).toBe('test');
    expect(await mode('session', 'live')).toBe('live');
    expect(await mode('session', 'nonsense')).toBeUndefined();
    expect(await mode('key', 'test')).toBe('live');
  });

  it('sends the scheme Bearer with a 401', async () => {
    const reply = await service.createApi().get('/v1/auth/me');

    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});
