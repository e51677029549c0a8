import type { Api } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}

/** These lists are not for keys. */
const OF_SESSIONS = ['/v1/commerce/product-reviews', '/v1/auth/api-keys', '/v1/businesses'];
const ID = 'x_00000000000000000000000000';

describe('An empty query parameter', () => {
  let service: Service;
  let api: Api;
  beforeAll(async () => {
    service = await startService();
    api = service.createApi(await service.createKey(await service.createBusiness()));
  });
  afterAll(() => service.stop());

  it('is invalid in every list', async () => {
    const accepted: string[] = [];
    let sent = 0;
    for (const { path, name } of await listQueryParameters()) {
      const { status, body } = await api.get(`${path}?${name}=`);
      const isRejected = status === 400 && body.code === 'invalid_parameter' && namesOnly(body.errors, name);
      if (!isRejected) accepted.push(`${path}?${name}= ${status}`);
      sent++;
    }
    expect(accepted).toEqual([]);
    expect(sent).toBeGreaterThan(100);
  });

  async function listQueryParameters() {
    const { paths } = (await api.get('/openapi.json')).body as unknown as {
      paths: Record<string, { get?: Operation }>;
    };
    return Object.entries(paths)
      .filter(([path]) => !OF_SESSIONS.includes(path))
      .flatMap(([path, { get }]) =>
        (get?.parameters ?? [])
          .filter((parameter) => parameter.in === 'query')
          .map(({ name }) => ({ path: path.replace(/\{\w+\}/g, ID), name })),
      );
  }
});

function namesOnly(errors: unknown, name: string): boolean {
  const list = errors as readonly { readonly param?: string; readonly field?: string }[];
  return list.length === 1 && (list[0]!.param ?? list[0]!.field) === name;
}
