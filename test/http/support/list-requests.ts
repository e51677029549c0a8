import type { Json, OpenApiClient } from './openapi-client.js';

/** They choose a page and not documents. */
const PAGING = ['page', 'per_page', 'limit', 'after'];
/** These answers are no lists. */
const OTHER_ANSWERS = ['/v1/webhooks/events/stream', '/v1/audit/resources/{id}'];
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  response_status: ['404', '4xx'],
};

/** A request to a list with at most one filter. */
export interface ListRequest {
  readonly path: string;
  /** `?status=active`, or an empty text for the whole list. */
  readonly query: string;
}

/** Lists the requests to each list of the document: one for all its items, and some for each filter. */
export function listRequests(description: OpenApiClient): readonly ListRequest[] {
  return description.operations.flatMap(({ method, path, details }) => {
    const parameters = method === 'GET' ? readParameters(description, details) : [];
    if (parameters.length === 0 || OTHER_ANSWERS.includes(path)) return [];
    const filters = parameters.filter(({ name }) => !PAGING.includes(name));
    const queries = filters.flatMap(({ name, schema }) => toQueries(name, schema));
    return ['', ...queries].map((query) => ({ path, query }));
  });
}

function toQueries(name: string, schema: Json): string[] {
  const values = schema.type === 'array' ? schema.items.enum : schema.enum;
  const [first, second] = (values ?? []) as readonly string[];
  if (schema.type === 'array') return [`?${name}=${first}`, `?${name}=${first}&${name}=${second}`];
  const samples = SAMPLES[name] ?? [first ?? sampleFor(name)];
  return samples.map((sample) => `?${name}=${encodeURIComponent(sample)}`);
}

function sampleFor(name: string): string {
  if (/_(from|to)$|^since$/.test(name)) return '2026-02-01';
  return name.endsWith('email') ? 'ada@example.com' : 'x_00000000000000000000000000';
}

function readParameters(description: OpenApiClient, details: Json): readonly Json[] {
  const parameters: readonly Json[] = details.parameters ?? [];
  return parameters.map((one) => description.resolve(one)).filter((one) => one.in === 'query');
}
