import { type Service, startService, type TestBusiness } from '../../support/service.js';
import { Probe, ProbeModule } from '../support/probe.js';

const ROTATION = '/v1/webhooks/probes/whs_1/rotations';
const CREATE = '/v1/commerce/probes';

let service: Service;
let business: TestBusiness;
beforeAll(async () => {
  service = await startService({}, [ProbeModule]);
  business = await service.createBusiness();
});
afterAll(() => service.stop());

async function code(credential: string | null, path: string, headers: Record<string, string>, body: unknown = 5) {
  return ((await service.createApi(credential).post(path, body, headers)).body as { code: string }).code;
}

describe('The first of several reasons to reject a request', () => {
  const badHeader = { 'x-service-business-id': 'nonsense' };
  const badKey = { 'idempotency-key': '' };

  it('is an error of the parser', async () => {
    expect(await code(null, CREATE, badHeader, 'x'.repeat(1024 * 1024))).toBe('payload_too_large');
  });

  it('is a missing credential, after the parser', async () => {
    expect(await code(null, CREATE, { ...badHeader, ...badKey })).toBe('authentication_required');
    expect(await code('sk_live_x', CREATE, { ...badHeader, ...badKey })).toBe('invalid_credentials');
  });

  it('is a missing permission, after the credential', async () => {
    const readOnly = await service.createKey(business, { access: 'read_only', mode: 'test' });

    expect(await code(readOnly, CREATE, { ...badHeader, ...badKey })).toBe('read_only_key');
    expect(await code(readOnly, '/v1/community/probes', badHeader)).toBe('read_only_key');
    expect(await code(await service.signToken('owner'), ROTATION, { ...badHeader, ...badKey })).toBe(
      'secret_key_required',
    );
  });

  it('is an invalid header, after the permission', async () => {
    expect(await code(await service.createKey(business), CREATE, { ...badHeader, ...badKey })).toBe(
      'invalid_parameter',
    );
  });

  it('is an invalid idempotency key, after the headers', async () => {
    const key = await service.createKey(business);

    expect(await code(key, `${CREATE}?nope=1`, badKey)).toBe('invalid_idempotency_key');
    expect(await code(key, ROTATION, {})).toBe('idempotency_key_required');
  });

  it('is an invalid query or body, after the idempotency key', async () => {
    const key = await service.createKey(business);

    expect(await code(key, `${CREATE}?nope=1`, {})).toBe('invalid_parameter');
    expect(await code(key, CREATE, { 'content-type': 'text/plain' })).toBe('unsupported_media_type');
    expect(await code(key, CREATE, {}, {})).toBe('validation_failed');
  });

  it('is a rejection of the handler, after the query and the body', async () => {
    service.get(Probe).refuseNext('not_found');

    expect(await code(await service.createKey(business), CREATE, {}, { name: 'a' })).toBe('not_found');
  });
});
