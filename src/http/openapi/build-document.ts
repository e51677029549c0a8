import type { OpenAPIObject } from '@nestjs/swagger';
import { COMPONENT } from '../../kernel/schema.js';
import type { BodyClass } from '../validation/body-fields.js';
import { schemaForClass } from './class-schema.js';
import type { EventDescription } from './event-descriptions.js';
import { addExamples, exampleFor } from './examples.js';
import { toOperationId } from './operation.js';
import { findIdSchemas, HEADERS, type IdSchemas, parametersFor } from './parameters.js';
import { describePrecedence } from './precedence.js';
import { buildProblemExamples, problemsFor, problemsForAll, successFor } from './responses.js';
import type { Route } from './route.js';
import { AREAS, describeRoute } from './route-descriptions.js';
import { credentialsFor } from './security-schemes.js';
import { shareSchemas } from './share-schemas.js';
import { PAGINATION, PROBLEMS, RESPONSE_HEADERS } from './shared-schemas.js';
import { EVENTS_TAG, toWebhook, WEBHOOK_HEADERS } from './webhooks.js';

/** An operation in the document of @nestjs/swagger. */
export type NestOperation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** A documented route, with its operation from @nestjs/swagger. */
export interface DocumentedRoute {
  readonly method: string;
  readonly route: Route;
  readonly nest: NestOperation;
}

interface DocumentOptions {
  readonly publicUrl: string;
  readonly events: readonly EventDescription[];
}

/**
 * Builds the OpenAPI document from the document of @nestjs/swagger, the body classes and the metadata of the routes.
 */
export function buildDocument(
  nest: OpenAPIObject,
  routes: readonly DocumentedRoute[],
  { publicUrl, events }: DocumentOptions,
): object {
  const byPath = Object.entries(Object.groupBy(routes, ({ route }) => route.path));
  const ids = findIdSchemas(routes.map(({ route }) => route));
  const paths = byPath.map(([path]) => path);
  const toOperations = (group: readonly DocumentedRoute[]) =>
    Object.fromEntries(group.map((documented) => [documented.method, toOperation(documented, ids, paths)]));
  return shareSchemas({
    ...nest,
    info: { ...nest.info, contact: { name: 'The operator of the service', url: publicUrl } },
    servers: [{ url: publicUrl }],
    security: [{ secretKey: [] }],
    tags: [...new Set(routes.map(({ route }) => areaFor(route.path))), EVENTS_TAG].map((name) => ({
      name,
      description: AREAS[name],
    })),
    paths: Object.fromEntries(byPath.map(([path, those]) => [path, toOperations(those!)])),
    webhooks: Object.fromEntries(events.map((event) => [event.type, toWebhook(event)])),
    components: {
      ...toComponents(
        routes.map(({ route }) => route),
        events,
      ),
      examples: buildProblemExamples(
        routes.map(({ route }) => route),
        publicUrl,
      ),
      securitySchemes: nest.components!.securitySchemes,
    },
  });
}

function toOperation({ method, route, nest }: DocumentedRoute, ids: IdSchemas, paths: readonly string[]): object {
  const [[status] = ['200']] = Object.entries(nest.responses);
  const success = successFor(route);
  return {
    operationId: toOperationId(route.summary),
    summary: route.summary,
    description: [describeRoute(route), ...describePrecedence(method, route.path, paths)].join(' '),
    tags: [areaFor(route.path)],
    security: credentialsFor(route).map((credential) => ({ [credential]: [] })),
    parameters: parametersFor(route, ids),
    ...(route.body !== null && { requestBody: toRequestBody(route.body) }),
    responses: {
      [status]: success,
      ...(route.alternative !== null && { [route.alternative.status]: successFor(route, route.alternative.resource) }),
      ...problemsFor(route),
    },
  };
}

function toRequestBody(body: BodyClass): object {
  const schema = schemaForClass(body);
  const content = {
    'application/json': { schema: addExamples(schema), example: exampleFor(schema) },
  };
  return { required: schema.required !== undefined, content };
}

function toComponents(routes: readonly Route[], events: readonly EventDescription[]): object {
  const answers = routes.flatMap(({ resource: answer, alternative }) =>
    alternative === null ? [answer] : [answer, alternative.resource],
  );
  const resources = [
    ...answers,
    ...events.map(({ data }) => data),
    ...Object.values(PAGINATION),
    ...Object.values(PROBLEMS),
  ];
  return {
    schemas: resources.map(({ name, schema }) => addExamples({ ...schema, [COMPONENT]: name })),
    parameters: { ...HEADERS, ...WEBHOOK_HEADERS },
    headers: RESPONSE_HEADERS,
    responses: problemsForAll(routes),
  };
}

/** Returns the area of a path. `auth` and `businesses` belong to identity. */
function areaFor(path: string): string {
  const area = path.split('/')[2]!;
  return ['auth', 'businesses'].includes(area) ? 'identity' : area;
}
