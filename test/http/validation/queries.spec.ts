import type { Api } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';
import { ProbeModule } from '../support/probe.js';

let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startService({}, [ProbeModule]);
  api = service.createApi(await service.createKey(await service.createBusiness()));
});
afterAll(() => service.stop());

const pagination = async (query: string) => (await api.get(`/v1/commerce/probes${query}`)).body.pagination as object;

describe('The query of a list', () => {
  it('defaults to the first page with 25 items', async () => {
    expect(await pagination('')).toEqual({ page: 1, perPage: 25 });
  });

  it('clamps a page size that is too large', async () => {
    expect(await pagination('?page=7&per_page=26')).toEqual({ page: 7, perPage: 25 });
    expect(await pagination(`?per_page=1${'0'.repeat(400)}`)).toEqual({ page: 1, perPage: 25 });
    expect((await api.get('/v1/commerce/probes/stream?limit=101&after=x')).body.pagination).toEqual({
      count: 100,
      cursor: 'x',
    });
  });

  it('accepts a repeated filter that allows several values', async () => {
    expect(await pagination('?status=failed')).toMatchObject({ status: ['failed'] });
    expect(await pagination('?status=failed&status=abandoned')).toMatchObject({ status: ['failed', 'abandoned'] });
  });

  it.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=', 'page'],
    ['page=1e3', 'page'],
    ['per_page=x', 'per_page'],
    ['page=1&page=2', 'page'],
    ['status=success', 'status'],
    ['status=failed&status=success', 'status'],
    ['buyer_email=a&buyer_email=b', 'buyer_email'],
    ['nope=1', 'nope'],
    ['__proto__=1', '__proto__'],
    ['perPage=1', 'perPage'],
  ])('rejects %s, and names the parameter %s', async (query, param) => {
    const reply = await api.get(`/v1/commerce/probes?${query}`);

    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_parameter']);
    expect(reply.body.errors).toEqual([{ code: 'invalid_parameter', detail: expect.any(String) as string, param }]);
  });

  it.each([
    ['page=0', 'page must not be less than 1.'],
    ['page=1&page=2', 'page was sent more than once.'],
    ['status=nope', 'status must be one of the following values: failed, abandoned.'],
    ['nope=1', 'nope is not a parameter; the parameters are: status, buyer_email, page, per_page.'],
  ])('explains the error in %s', async (query, detail) => {
    expect((await api.get(`/v1/commerce/probes?${query}`)).body.errors[0].detail).toBe(detail);
  });

  it('names both ends of a reversed range', async () => {
    const { body } = await api.get('/v1/commerce/payments?created_from=2026-02-02&created_to=2026-02-01');

    expect(body.errors).toEqual([
      { code: 'invalid_parameter', detail: 'created_from is later than created_to.', param: 'created_from' },
      { code: 'invalid_parameter', detail: 'created_to is earlier than created_from.', param: 'created_to' },
    ]);
  });

  it('names 100 of more than 100 unknown parameters, and counts the others', async () => {
    const { body } = await api.get(`/v1/auth/me?${Array.from({ length: 150 }, (_, i) => `x${i}=1`).join('&')}`);

    expect([body.errors.length, body.detail]).toEqual([100, expect.stringContaining('50 more')]);
  });

  it('is rejected for a route without parameters', async () => {
    const reply = await api.get('/v1/auth/me?page=1');

    expect([reply.status, reply.body.errors[0].param]).toEqual([400, 'page']);
  });
});

describe('An id in a path', () => {
  it.each(['probe_2', '%00', '..%2f..', 'a%2fb', '%F0%9F%98%80', 'x'.repeat(300), 'constructor'])(
    'gets the same 404 when it is %s',
    async (id) => {
      const { status, body } = await api.get(`/v1/commerce/probes/${id}`);

      expect([status, body.code, body.detail]).toEqual([404, 'not_found', 'There is no such resource.']);
    },
  );
});
