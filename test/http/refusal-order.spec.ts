import { startService, type Service, type TestBusiness } from '../support/service.js';
import { Probe, ProbeModule } from './support/probe.js';

const ROTATION = '/v1/webhooks/probes/whs_1/rotations';
const CREATE = '/v1/commerce/probes';

let service: Service;
let business: TestBusiness;
beforeAll(async () => {
  service = await startService({}, [ProbeModule]);
  business = await service.business();
});
afterAll(() => service.stop());

async function code(credential: string | null, path: string, headers: Record<string, string>, body: unknown = 5) {
  return ((await service.api(credential).post(path, body, headers)).body as { code: string }).code;
}

describe('Of several reasons to refuse', () => {
  const badHeader = { 'x-service-business-id': 'nonsense' };
  const badKey = { 'idempotency-key': '' };

  it('the parser’s own come first', async () => {
    expect(await code(null, CREATE, badHeader, 'x'.repeat(1024 * 1024))).toBe('payload_too_large');
  });

  it('then it is asked who is there', async () => {
    expect(await code(null, CREATE, { ...badHeader, ...badKey })).toBe('authentication_required');
    expect(await code('sk_live_x', CREATE, { ...badHeader, ...badKey })).toBe('invalid_credentials');
  });

  it('then what the credential may do', async () => {
    const readOnly = await service.key(business, { access: 'read_only', mode: 'test' });

    expect(await code(readOnly, CREATE, { ...badHeader, ...badKey })).toBe('read_only_key');
    expect(await code(readOnly, '/v1/community/probes', badHeader)).toBe('read_only_key');
    expect(await code(await service.token('owner'), ROTATION, { ...badHeader, ...badKey })).toBe('secret_key_required');
  });

  it('then the headers', async () => {
    expect(await code(await service.key(business), CREATE, { ...badHeader, ...badKey })).toBe('invalid_parameter');
  });

  it('then the idempotency key', async () => {
    const key = await service.key(business);

    expect(await code(key, `${CREATE}?nope=1`, badKey)).toBe('invalid_idempotency_key');
    expect(await code(key, ROTATION, {})).toBe('idempotency_key_required');
  });

  it('then query and body', async () => {
    const key = await service.key(business);

    expect(await code(key, `${CREATE}?nope=1`, {})).toBe('invalid_parameter');
    expect(await code(key, CREATE, { 'content-type': 'text/plain' })).toBe('unsupported_media_type');
    expect(await code(key, CREATE, {}, {})).toBe('validation_failed');
  });

  it('and then the handler’s', async () => {
    service.get(Probe).refuseNext('not_found');

    expect(await code(await service.key(business), CREATE, {}, { name: 'a' })).toBe('not_found');
  });
});
