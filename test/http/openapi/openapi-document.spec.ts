import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listStatuses, PROBLEM_CODES, type ProblemCode } from '../../../src/http/problems/problem-codes.js';
import { RouteList } from '../../support/routes.js';
import { type Service, startService } from '../../support/service.js';
import { type Json, OpenApiClient, type Operation } from '../support/openapi-client.js';

/** Pages that are not part of the API. */
const PAGES = [
  'GET /',
  'GET /asyncapi.json',
  'GET /docs',
  'GET /docs/assets/{name}',
  'GET /docs/guides',
  'GET /docs/guides/{name}',
  'GET /llms-full.txt',
  'GET /llms.txt',
  'GET /openapi.json',
  'GET /problems',
  'GET /problems/{code}',
];
/** Only payment gateways call these routes. */
const GATEWAY_ROUTES = ['POST /v1/gateways/stripe/events'];

const SRC = join(import.meta.dirname, '../../../src');
const RAISED = /(?:new Rejection|Rejection\.of)\(\s*'([a-z_]+)'/g;
/** Codes that are raised in internal steps, or that only a payment gateway gets. */
const UNREACHABLE_CODES = ['already_member', 'invalid_signature'];

interface OperationFacts {
  readonly status: number;
  readonly source: 'spec' | 'ours';
  readonly idempotency_key?: 'required' | 'honoured';
  readonly served: boolean;
}

let service: Service;
let description: OpenApiClient;
let listed: Record<string, OperationFacts>;
beforeAll(async () => {
  service = await startService({}, [RouteList]);
  description = await OpenApiClient.read(service);
  const areas = JSON.parse(await readFile(join(import.meta.dirname, '../../operations.json'), 'utf8')) as Record<
    string,
    Record<string, OperationFacts>
  >;
  listed = Object.assign({}, ...Object.values(areas)) as Record<string, OperationFacts>;
});
afterAll(() => service.stop());

const served = () => Object.entries(listed).filter(([, fact]) => fact.served);
const wrongIn = (look: (operation: Operation) => readonly unknown[]) =>
  description.operations.flatMap((operation) => look(operation).map((fault) => [operation.name, fault]));

describe('The listed, routed and documented operations', () => {
  it('are the same', () => {
    const routed = service
      .get(RouteList)
      .routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    const names = served().map(([name]) => name);

    expect(
      routed.filter((name) => ![...PAGES, ...GATEWAY_ROUTES].includes(name) && !name.startsWith('HEAD ')).sort(),
    ).toEqual(names.sort());
    expect(description.operations.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it('have the same success status and the same rule for idempotency keys', () => {
    const facts = served().map(([name, { status, idempotency_key = null }]) => [name, status, idempotency_key]);

    expect(
      description.operations.map(({ name, status, idempotencyKey }) => [name, status, idempotencyKey]).sort(),
    ).toEqual(facts.sort());
  });

  it('accept an idempotency key when they are a POST outside community', () => {
    const posts = description.operations.filter(
      ({ name }) => name.startsWith('POST ') && !name.startsWith('POST /v1/community/'),
    );
    expect(posts.filter(({ idempotencyKey }) => idempotencyKey === null).map(({ name }) => name)).toEqual([]);
    expect(posts.length).toBeGreaterThan(20);
  });
});

describe('The OpenAPI document', () => {
  it('is public and cacheable', async () => {
    const first = await service.createApi().get('/openapi.json');
    const again = await service.createApi().get('/openapi.json', { 'if-none-match': first.headers.get('etag')! });

    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('is OpenAPI 3.1', () => {
    const { openapi, info, servers, paths, components, tags } = description.document;

    expect([openapi, info.title, info.version, servers]).toEqual([
      '3.1.0',
      expect.any(String),
      expect.any(String),
      [{ url: service.url }],
    ]);
    expect(Object.keys(paths).every((path) => path.startsWith('/'))).toBe(true);
    expect(
      Object.values<Json>(components)
        .flatMap(Object.keys)
        .filter((name) => !/^[A-Za-z0-9._-]+$/.test(name)),
    ).toEqual([]);
    expect(tags.map(({ name }: Json) => name).sort()).toEqual([
      'audit',
      'commerce',
      'community',
      'events',
      'identity',
      'webhooks',
    ]);
  });

  it('has no broken reference', () => {
    const references = JSON.stringify(description.document).matchAll(/"\$ref":"([^"]+)"/g);
    const lost = [...references].map(([, $ref]) => $ref).filter(($ref) => description.resolve({ $ref }) === undefined);

    expect(lost).toEqual([]);
  });

  it('has a unique id, a summary and an area for each operation', () => {
    const ids = description.operations.map(({ details }) => details.operationId as string);

    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+[A-Z]/.test(id))).toEqual([]);
    expect(
      wrongIn(({ details }) => (details.tags.length === 1 && details.summary !== '' ? [] : [details.tags])),
    ).toEqual([]);
  });

  it('documents each parameter once, and all path parameters', () => {
    const inPath = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name}`);

    expect(
      wrongIn((operation) => {
        const described = operation.details.parameters
          .map(description.resolve.bind(description))
          .map((one: Json) => `${one.in} ${one.name}`) as string[];
        return [
          ...inPath(operation).filter((name) => !described.includes(name)),
          ...described.filter((name, i) => described.indexOf(name) !== i),
        ];
      }),
    ).toEqual([]);
  });

  it('requires documented bearer credentials', () => {
    const known = Object.entries<Json>(description.document.components.securitySchemes);

    expect(known.map(([, { type, scheme }]) => [type, scheme])).toEqual(known.map(() => ['http', 'bearer']));
    expect(
      wrongIn(({ details }) =>
        details.security.flatMap(Object.keys).filter((name: string) => !known.some(([scheme]) => scheme === name)),
      ),
    ).toEqual([]);
    expect(wrongIn(({ details }) => (details.security.length > 0 ? [] : ['nobody']))).toEqual([]);
  });

  it('documents only problems of the table of codes, each with its status and an example', () => {
    const statuses = ({ details }: Operation) =>
      Object.keys(details.responses).filter((status) => Number(status) >= 400);

    expect(
      wrongIn((operation) =>
        statuses(operation).flatMap((status) =>
          description
            .codesFor(operation, status)
            .filter((code) => !listStatuses(code as ProblemCode).includes(Number(status))),
        ),
      ),
    ).toEqual([]);
    const used = new Set(
      description.operations.flatMap((one) =>
        statuses(one).flatMap((status) => description.codesFor(one, status).map((code) => `${code} ${status}`)),
      ),
    );
    expect(
      Object.values<Json>(description.document.components.examples).map(({ value }) => `${value.code} ${value.status}`),
    ).toEqual(
      (Object.keys(PROBLEM_CODES) as ProblemCode[])
        .flatMap((code) => listStatuses(code).map((status) => `${code} ${status}`))
        .filter((problem) => used.has(problem)),
    );
  });

  it.each(['webhooks', 'commerce', 'community', 'audit'])(
    'documents every problem code that %s raises',
    async (area) => {
      const described = description.operations.filter(({ details }) => details.tags[0] === area);
      const known = described.flatMap((operation) =>
        Object.keys(operation.details.responses).flatMap((status) => description.codesFor(operation, status)),
      );

      expect(
        (await findRaisedCodes(area)).filter((code) => !known.includes(code) && !UNREACHABLE_CODES.includes(code)),
      ).toEqual([]);
    },
  );

  it('describes every operation, every area and every public event', () => {
    const { webhooks, tags } = description.document;
    const events = Object.entries<Json>(webhooks);

    expect(
      wrongIn(({ details }) => (String(details.description).length > details.summary.length ? [] : ['no description'])),
    ).toEqual([]);
    expect(tags.filter((tag: Json) => !tag.description)).toEqual([]);
    expect(events.length).toBeGreaterThan(10);
    for (const [type, { post }] of events) {
      const { schema, example } = post.requestBody.content['application/json'];
      expect([type, description.resolve(schema).properties.type.const, description.validate(example, schema)]).toEqual([
        type,
        type,
        [],
      ]);
      expect(post.parameters.map((one: Json) => description.resolve(one).name)).toContain('webhook-signature');
    }
  });

  it('says after its summary what else an operation does', () => {
    const { description: text } = description.find('deleteDiscount').details;
    expect(text).toMatch(/^Delete a discount\. New orders can no longer use it\. .* For a key of the business/);
  });

  it('documents that statistics count from the start of an hour', () => {
    const { parameters } = description.find('retrieveStatisticsOfEndpoint').details;
    expect(parameters.find(({ name }: Json) => name === 'since').description).toContain('start of this hour');
  });

  it('names request bodies, gives each path parameter a pattern, and each enum a type', () => {
    const { paths, components } = description.document;
    const untyped: string[] = [];
    const look = (value: Json, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (Array.isArray(value.enum) && value.type === undefined) untyped.push(path);
      for (const [name, inner] of Object.entries(value)) look(inner, `${path}/${name}`);
    };
    look({ paths, schemas: components.schemas, parameters: components.parameters }, '');

    expect(untyped).toEqual([]);
    expect(
      wrongIn(({ details }) => {
        const schema = details.requestBody?.content['application/json'].schema;
        return schema === undefined || schema.$ref?.startsWith('#/components/schemas/') ? [] : [schema];
      }),
    ).toEqual([]);
    expect(
      wrongIn(({ details }) =>
        details.parameters.filter((one: Json) => one.in === 'path' && one.schema.pattern === undefined),
      ),
    ).toEqual([]);
  });

  it('has patterns that mean the same in tools without Unicode mode', () => {
    const patterns = [...JSON.stringify(description.document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, json]) => JSON.parse(json!) as string,
    );

    expect(patterns.filter((pattern) => /\\[pPu]\{|\(\?<?[=!]/.test(pattern))).toEqual([]);
    expect(patterns.length).toBeGreaterThan(100);
  });

  it('has short names, and allows no further member in problems of webhooks', () => {
    const { schemas, responses } = description.document.components;

    expect(
      Object.values<Json>(description.document.components)
        .flatMap(Object.keys)
        .filter((name) => name.length > 40),
    ).toEqual([]);
    expect(schemas.WebhookProblem.additionalProperties).toBe(false);
    expect(Object.keys(responses).filter((name) => name.startsWith('WebhookProblem')).length).toBeGreaterThan(5);
  });

  it('has examples that match their schemas', () => {
    const bodies = ({ details }: Operation) =>
      [details.requestBody, ...Object.values<Json>(details.responses)].map((one) => description.resolve(one));
    const contents = (operation: Operation) =>
      bodies(operation).flatMap((body) => Object.values<Json>(body?.content ?? {}));
    const examples = ({ example, examples = {} }: Json): Json[] =>
      example === undefined ? Object.values<Json>(examples).map((one) => description.resolve(one).value) : [example];

    expect(
      wrongIn((operation) =>
        contents(operation).flatMap((content) =>
          examples(content).flatMap((one) => description.validate(one, content.schema)),
        ),
      ),
    ).toEqual([]);
    expect(wrongIn((operation) => contents(operation).filter((content) => examples(content).length === 0))).toEqual([]);
  });
});

async function findRaisedCodes(area: string): Promise<readonly string[]> {
  const files = (await readdir(join(SRC, area), { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(files.map((name) => readFile(join(SRC, area, name), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(RAISED)].map(([, code]) => code!));
}
