import type { JsonSchema } from '../../kernel/schema.js';
import { collectSchemas } from './collect-schemas.js';
import { TYPE_HEADER } from './webhooks.js';

const STREAM_PATH = '/v1/webhooks/events/stream';
const HTTP_BINDING_VERSION = '0.3.0';
const HEADERS_SCHEMA = 'WebhookHeaders';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
}

interface Reference {
  readonly $ref: string;
}

interface Webhook {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Reference[];
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema; readonly example: unknown } };
  };
}

interface StreamOperation {
  readonly summary: string;
  readonly description: string;
  readonly security: readonly object[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly responses: { readonly 200: { readonly description: string } };
}

/** The parts of the OpenAPI document that describe public events. */
export interface DocumentedEvents {
  readonly info: object;
  readonly servers: readonly [{ readonly url: string }];
  readonly webhooks: Readonly<Record<string, { readonly post: Webhook }>>;
  readonly paths: { readonly [STREAM_PATH]: { readonly get: StreamOperation } };
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

/** Derives the AsyncAPI 3.0 document from the OpenAPI document: what the service sends, and how. */
export function toAsyncApi(openApi: DocumentedEvents): object {
  const webhooks = Object.entries(openApi.webhooks).map(([type, { post }]) => [type, post] as const);
  const [[, first]] = webhooks as [(typeof webhooks)[number]];
  const parameters = first.parameters.map(({ $ref }) => openApi.components.parameters[$ref.split('/').at(-1)!]!);
  const stream = openApi.paths[STREAM_PATH].get;
  const messages = Object.fromEntries(
    webhooks.map(([type, webhook]) => [type, toWebhookMessage(type, webhook, parameters)]),
  );
  return {
    asyncapi: '3.0.0',
    info: {
      ...openApi.info,
      description:
        'The public events of a business: as webhooks to its endpoints, and as a stream of server-sent events.',
    },
    defaultContentType: 'application/json',
    servers: { service: toServer(openApi.servers[0].url), receiver: RECEIVER },
    channels: {
      webhooks: toWebhookChannel(Object.keys(messages)),
      eventStream: toStreamChannel(stream, webhooks),
    },
    operations: { sendWebhook: toWebhookOperation(parameters), streamEvents: toStreamOperation(stream) },
    components: {
      messages,
      schemas: { ...collectSchemas(webhooks, openApi.components.schemas), [HEADERS_SCHEMA]: toHeaders(parameters) },
      securitySchemes: { ...pickCredentials(stream, openApi), ...toSignatureSchemes(parameters) },
    },
  };
}

/** The host is not known here: each endpoint has a URL of its own. */
const RECEIVER = {
  host: '{host}',
  protocol: 'https',
  description: 'The receiver of a business: the host of the URL of an endpoint.',
  variables: { host: { description: 'The host of the URL.', examples: ['hooks.example.com'] } },
};

function toServer(publicUrl: string): object {
  const { host, protocol, pathname } = new URL(publicUrl);
  const prefix = pathname.replace(/\/$/, '');
  return {
    host,
    protocol: protocol.replace(':', ''),
    ...(prefix !== '' && { pathname: prefix }),
    description: 'This service.',
  };
}

function toWebhookChannel(types: readonly string[]): object {
  return {
    address: null,
    title: 'Webhooks',
    description: 'The URL of an endpoint. It receives the types of events to which the endpoint subscribes.',
    servers: [refTo('servers/receiver')],
    messages: Object.fromEntries(types.map((type) => [type, refTo(`components/messages/${type}`)])),
  };
}

function toStreamChannel(
  { description, responses }: StreamOperation,
  webhooks: readonly (readonly [string, Webhook])[],
): object {
  return {
    address: STREAM_PATH,
    title: 'Event stream',
    description: `${description} ${responses[200].description}`,
    servers: [refTo('servers/service')],
    messages: Object.fromEntries(webhooks.map(([type, webhook]) => [type, toMessage(type, webhook)])),
  };
}

/** In the stream, a message is the data of one server-sent event. */
function toMessage(type: string, { summary, requestBody }: Webhook) {
  const { schema, example } = requestBody.content['application/json'];
  return { name: type, title: summary, payload: schema, examples: [{ payload: example }] };
}

function toWebhookMessage(type: string, webhook: Webhook, parameters: readonly Parameter[]): object {
  const message = toMessage(type, webhook);
  const examples = parameters.map(({ name, example }) => [name, name === TYPE_HEADER ? type : example] as const);
  const headers = Object.fromEntries(examples);
  return {
    ...message,
    description: webhook.description,
    headers: refTo(`components/schemas/${HEADERS_SCHEMA}`),
    examples: message.examples.map(({ payload }) => ({ headers, payload })),
  };
}

function toWebhookOperation(parameters: readonly Parameter[]): object {
  return {
    action: 'send',
    title: 'Send a webhook',
    summary: 'Sends each public event to every endpoint that subscribes to its type, and signs it.',
    channel: refTo('channels/webhooks'),
    security: Object.keys(toSignatureSchemes(parameters)).map((name) => refTo(`components/securitySchemes/${name}`)),
    bindings: { http: { method: 'POST', bindingVersion: HTTP_BINDING_VERSION } },
  };
}

function toStreamOperation({ summary, security, parameters }: StreamOperation): object {
  const fields = parameters.flatMap((one) => ('in' in one && one.in === 'query' ? [one] : []));
  const query = {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, description, schema }) => [name, { ...schema, description }])),
  };
  return {
    action: 'send',
    title: summary,
    summary: 'Sends each public event to the clients that hold a stream open.',
    channel: refTo('channels/eventStream'),
    security: security.flatMap(Object.keys).map((name) => refTo(`components/securitySchemes/${name}`)),
    bindings: { http: { method: 'GET', query, bindingVersion: HTTP_BINDING_VERSION } },
  };
}

function toHeaders(parameters: readonly Parameter[]): JsonSchema {
  const properties = parameters.map(({ name, description, schema }) => [name, { ...schema, description }]);
  return {
    type: 'object',
    required: parameters.map(({ name }) => name),
    properties: Object.fromEntries(properties) as object,
  };
}

/** The receiver checks one of the signatures. */
function toSignatureSchemes(parameters: readonly Parameter[]): Readonly<Record<string, object>> {
  return Object.fromEntries(
    parameters
      .filter(({ name }) => /signature$/i.test(name))
      .map(({ name, description }) => [name, { type: 'httpApiKey', in: 'header', name, description }]),
  );
}

function pickCredentials({ security }: StreamOperation, { components }: DocumentedEvents): object {
  const names = security.flatMap(Object.keys);
  return Object.fromEntries(names.map((name) => [name, components.securitySchemes[name]]));
}

function refTo(path: string): { readonly $ref: string } {
  return { $ref: `#/${path}` };
}
