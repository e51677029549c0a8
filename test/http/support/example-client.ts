import type { Api, RequestHeaders } from '../../support/api.js';
import type { Json, OpenApiClient, Operation } from './openapi-client.js';

export interface CallOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Fields that extend or replace those of the documented example. */
  readonly body?: object;
}

const STREAM_TYPE = 'text/event-stream';

let keys = 0;

/**
 * A client that knows only the document: it sends the example requests, and validates each response with the schemas.
 */
export class ExampleClient {
  readonly calls = new Set<string>();
  /** The ids of the successful requests of each operation that changes something. */
  readonly writes = new Map<string, string[]>();

  constructor(private readonly description: OpenApiClient) {}

  /** Returns the `data` of a success. A response that does not match the document throws an error. */
  async call(api: Api, operationId: string, { path = {}, query = '', body }: CallOptions = {}): Promise<Json> {
    const operation = this.description.find(operationId);
    const example = operation.details.requestBody?.content['application/json'].example as object | undefined;
    const sent = example === undefined ? undefined : { ...example, ...body };
    const reply = await api.send(operation.method, fillPath(operation, path) + query, sent, toHeaders(operation));

    if (reply.status >= 400) throw new Error(`${operationId}: answered ${reply.status} ${reply.text}`);
    const mediaType = reply.headers.get('content-type')!.split(';')[0]!;
    const content = this.description.resolve(operation.details.responses[reply.status])?.content?.[mediaType];
    this.calls.add(operation.name);
    if (content !== undefined && mediaType === STREAM_TYPE) return null;
    const faults =
      content === undefined
        ? [`answered ${reply.status} ${reply.text}`]
        : this.description.validate(reply.body ?? reply.text, content.schema);
    if (faults.length > 0) throw new Error(`${operationId}: ${faults.join('; ')}`);
    if (operation.method !== 'GET')
      this.writes.set(operation.name, [...(this.writes.get(operation.name) ?? []), reply.headers.get('x-request-id')!]);
    return reply.body?.data;
  }

  /** Returns the errors in the documented problem. */
  async checkProblem(api: Api, operation: Operation, options: CallOptions = {}): Promise<readonly string[]> {
    const sent = operation.details.requestBody?.content['application/json'].example as object | undefined;
    const reply = await api.send(operation.method, fillPath(operation, options.path ?? {}), sent, toHeaders(operation));
    const content = this.description.resolve(operation.details.responses[reply.status])?.content?.[
      'application/problem+json'
    ];
    return content === undefined
      ? [`answered ${reply.status} ${reply.text}`]
      : this.description.validate(reply.body, content.schema);
  }
}

/** Replaces the path parameters by the ids, or by unknown ids. */
function fillPath({ path }: Operation, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'nobodys');
}

function toHeaders({ idempotencyKey }: Operation): RequestHeaders {
  return idempotencyKey === null ? {} : { 'idempotency-key': `consumer-${++keys}` };
}
