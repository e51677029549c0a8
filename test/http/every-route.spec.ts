import { type Api, type ApiResponse, requireData } from '../support/api.js';
import { RouteList } from '../support/routes.js';
import { type Service, startService } from '../support/service.js';
import { validateProblem } from './support/problems.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'];
const PUBLIC_ROUTES = /^\/(problems|openapi|asyncapi|llms|docs|v1\/gateways|$)/;
const UNCOUNTED_ROUTES = ['0', '-1', '1.5', '1e3', 'x', '', '%2B1', '0x1', '99999999999999999999x'];

let service: Service;
let key: Api;
/** At least one of these callers is authorized for every route. */
let callers: readonly Api[];
beforeAll(async () => {
  service = await startService({}, [RouteList]);
  const business = await service.createBusiness();
  key = service.createApi(await service.createKey(business));
  const owner = service
    .createApi(await service.signToken('owner'))
    .withHeaders({ 'x-service-business-id': business.id });
  callers = [key, owner, service.createApi(await service.signToken('reviewer', { reviewer: true }))];
  for (const name of ['A', 'B', 'C']) {
    requireData(await key.post('/v1/commerce/products', { name }));
    requireData(await key.post('/v1/webhooks/endpoints', { url: `http://127.0.0.1:9/${name}` }));
  }
});
afterAll(() => service.stop());

const allPaths = () =>
  [...new Set(service.get(RouteList).routes.map(({ path }) => path))].filter((path) => !path.includes('*'));
const methodsOf = (path: string) =>
  service
    .get(RouteList)
    .routes.filter((route) => route.path === path)
    .map(({ method }) => method);
/** Whether another route has this path too: `tasks/progress` is a `tasks/:key`. */
const isRouted = (method: string, path: string) =>
  service.get(RouteList).routes.some((route) => route.method === method && toPattern(route.path).test(fillPath(path)));
const toPattern = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`);
const fillPath = (path: string) => path.replace(/:\w+/g, 'none_1');
const findGuardedRoutes = () =>
  service.get(RouteList).routes.filter(({ path }) => !PUBLIC_ROUTES.test(path) && !path.includes('*'));
const findRoutesWithBodies = () => findGuardedRoutes().filter(({ method }) => method !== 'HEAD');

function sendRequest(api: Api, method: string, path: string): Promise<ApiResponse> {
  return api.send(method, path, undefined, method === 'GET' ? {} : { 'idempotency-key': `${method} ${path}` });
}

/** Returns the response to the first authorized caller. */
async function sendUntilAdmitted(method: string, path: string): Promise<ApiResponse> {
  const replies = await Promise.all(callers.map((caller) => sendRequest(caller, method, path)));
  return replies.find(({ status }) => status !== 403) ?? replies[0]!;
}

function findErrors({ status, headers, text: body }: ApiResponse): string[] {
  return validateProblem({ status, headers, body });
}

describe('Every route', () => {
  it('is there', () => expect(findGuardedRoutes().length).toBeGreaterThan(40));

  it('requires a credential', async () => {
    for (const { method, path } of findGuardedRoutes()) {
      const reply = await sendRequest(service.createApi(), method, fillPath(path));

      if (method === 'HEAD') expect([path, reply.status]).toEqual([path, 401]);
      else expect([path, reply.body.code, findErrors(reply)]).toEqual([path, 'authentication_required', []]);
    }
  });

  it('rejects an unknown parameter, and names it by `param` or `field`', async () => {
    for (const { method, path } of findRoutesWithBodies()) {
      const { status, body } = await sendUntilAdmitted(method, `${fillPath(path)}?nope=1`);
      const name = path.startsWith('/v1/community/') ? 'field' : 'param';
      const error = { code: 'invalid_parameter', detail: expect.any(String) as string, [name]: 'nope' };

      expect([method, path, status, body.code, body.errors]).toEqual([method, path, 400, 'invalid_parameter', [error]]);
    }
  });

  it('accepts an empty JSON body when it has no body', async () => {
    const described = (await service.createApi().get('/openapi.json')).body.paths as Record<
      string,
      Record<string, { requestBody?: object }>
    >;
    const bodyless = Object.entries(described).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) =>
        requestBody === undefined && method !== 'get' ? [[method, path]] : [],
      ),
    ) as [string, string][];
    for (const [method, path] of bodyless) {
      const url = path.replaceAll(/\{\w+\}/g, 'none_1');
      const headers = { 'idempotency-key': `${method} ${path}` };
      const replies = await Promise.all(
        callers.map((caller) => caller.sendText(method.toUpperCase(), url, '', headers)),
      );
      const { status, body } = replies.find((reply) => reply.status !== 403)!;

      expect([method, path, status, body.code]).toEqual([method, path, 404, 'not_found']);
    }
    expect(bodyless.length).toBeGreaterThan(5);
  });

  it('lists the methods of its path in the response to other methods', async () => {
    for (const path of allPaths()) {
      const allowed = METHODS.filter((method) => methodsOf(path).includes(method));
      const others = METHODS.filter((method) => !allowed.includes(method) && !isRouted(method, path));
      for (const method of [...others, 'OPTIONS']) {
        const reply = await service.createApi().send(method, fillPath(path));

        expect([method, path, reply.status, reply.headers.get('allow')]).toEqual([
          method,
          path,
          405,
          allowed.join(', '),
        ]);
        if (method !== 'HEAD') expect(findErrors(reply)).toEqual([]);
      }
    }
  });
});

/** Returns the lists without an id in their path, by the kind of paging. */
async function findLists(): Promise<{ readonly paged: string[]; readonly sliced: string[] }> {
  const paths = findGuardedRoutes().filter(({ method, path }) => method === 'GET' && !path.includes(':'));
  const found = await Promise.all(
    paths.map(async ({ path }) => [path, (await sendUntilAdmitted('GET', path)).body?.pagination] as const),
  );
  const having = (member: string) =>
    found.filter(([, pagination]) => pagination !== undefined && member in pagination).map(([path]) => path);
  return { paged: having('total_pages'), sliced: having('has_more') };
}

async function expectInvalidParameter(path: string, query: string, name: string): Promise<void> {
  const { status, body } = await sendUntilAdmitted('GET', `${path}?${query}`);
  const named = (body.errors as { param?: string; field?: string }[] | undefined)?.map(
    ({ param, field }) => param ?? field,
  );

  expect([path, query, status, body.code, named]).toEqual([path, query, 400, 'invalid_parameter', [name]]);
}

describe('Every list of pages', () => {
  it('accepts only integers from 1, each once', async () => {
    for (const path of (await findLists()).paged)
      for (const name of ['page', 'per_page']) {
        for (const count of UNCOUNTED_ROUTES) await expectInvalidParameter(path, `${name}=${count}`, name);
        await expectInvalidParameter(path, `${name}=1&${name}=1`, name);
      }
  });

  it('clamps the page size, and returns the last page for a page beyond the end', async () => {
    const { paged } = await findLists();
    for (const path of paged) {
      const { pagination } = (await sendUntilAdmitted('GET', `${path}?per_page=1000&page=1000`)).body;

      expect([25, 100]).toContain(pagination.per_page);
      expect(pagination.current_page).toBe(pagination.total_pages);
      expect((await sendUntilAdmitted('GET', `${path}?page=9007199254740993`)).status).toBe(200);
    }
    expect(paged.length).toBeGreaterThan(4);
  });

  it('has one page when it is empty, so that reading it page by page ends', async () => {
    for (const path of ['/v1/commerce/payments', '/v1/commerce/orders'])
      expect((await key.get(`${path}?page=3`)).body).toEqual({
        data: [],
        pagination: { total_pages: 1, current_page: 1, per_page: 25, total_count: 0 },
      });
  });

  it('returns each document once, page by page', async () => {
    for (const path of ['/v1/commerce/products', '/v1/webhooks/endpoints']) {
      const pages = await Promise.all(
        [1, 2, 3, 4].map(async (page) => (await key.get(`${path}?per_page=1&page=${page}`)).body),
      );
      const ids = pages.map(({ data }) => data[0].id as string);

      expect(new Set(ids.slice(0, 3)).size).toBe(3);
      expect(ids[3]).toBe(ids[2]);
      expect(pages[3].pagination).toEqual({ total_pages: 3, current_page: 3, per_page: 1, total_count: 3 });
    }
  });
});

describe('Every list of slices', () => {
  it('accepts only integers from 1 and its own cursors, each once', async () => {
    const { sliced } = await findLists();
    for (const path of sliced) {
      for (const count of UNCOUNTED_ROUTES) await expectInvalidParameter(path, `limit=${count}`, 'limit');
      for (const place of ['x', '', 'W10', 'x'.repeat(2_000), '%00', 'WzEsImEiLCJiIl0'])
        await expectInvalidParameter(path, `after=${place}`, 'after');
      await expectInvalidParameter(path, 'limit=1&limit=1', 'limit');
      await expectInvalidParameter(path, 'after=x&after=x', 'after');
      expect((await sendUntilAdmitted('GET', `${path}?limit=1000`)).body.pagination).toEqual({
        next_cursor: null,
        has_more: false,
      });
    }
    expect(sliced.length).toBeGreaterThan(0);
  });
});
