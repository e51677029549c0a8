import type { OpenAPIObject } from '@nestjs/swagger';
import type { BodyClass } from '../body-fields.js';
import { schemaOfClass } from './class-schema.js';
import { admittedTo } from './credentials.js';
import type { DescribedEvent } from './described-events.js';
import { AREAS, descriptionOf } from './descriptions.js';
import { exampleOf } from './examples.js';
import { idOfSentence } from './operation.js';
import { HEADERS, parametersOf } from './parameters.js';
import { problemExamples, refusalsOf, refusalsOfAll, successOf } from './responses.js';
import type { Route } from './route.js';
import { webhookOf } from './webhooks.js';
import { PAGINATION, PROBLEMS, RESPONSE_HEADERS } from './schemas.js';

/** An operation in the document of @nestjs/swagger. */
export type NestOperation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** A documented route, with its operation from @nestjs/swagger. */
export interface DocumentedRoute {
  readonly method: string;
  readonly route: Route;
  readonly nest: NestOperation;
}

interface Surroundings {
  readonly publicUrl: string;
  readonly events: readonly DescribedEvent[];
}

/**
 * Builds the OpenAPI document from the document of @nestjs/swagger, the body classes and the metadata of the routes.
 */
export function documentOf(nest: OpenAPIObject, routes: readonly DocumentedRoute[], { publicUrl, events }: Surroundings): object {
  const byPath = Object.entries(Object.groupBy(routes, ({ route }) => route.path));
  const operations = (those: readonly DocumentedRoute[]) => Object.fromEntries(those.map((one) => [one.method, operationOf(one)]));
  return {
    ...nest,
    info: { ...nest.info, contact: { name: 'The operator of the service', url: publicUrl } },
    servers: [{ url: publicUrl }],
    tags: [...new Set(routes.map(({ route }) => areaOf(route.path)))].map((name) => ({ name, description: AREAS[name] })),
    paths: Object.fromEntries(byPath.map(([path, those]) => [path, operations(those!)])),
    webhooks: Object.fromEntries(events.map((event) => [event.type, webhookOf(event)])),
    components: {
      ...componentsOf(
        routes.map(({ route }) => route),
        events,
      ),
      examples: problemExamples(
        routes.map(({ route }) => route),
        publicUrl,
      ),
      securitySchemes: nest.components!.securitySchemes,
    },
  };
}

function operationOf({ route, nest }: DocumentedRoute): object {
  const [[status] = ['200']] = Object.entries(nest.responses);
  const success = successOf(route);
  return {
    operationId: idOfSentence(route.sentence),
    summary: route.sentence,
    description: descriptionOf(route),
    tags: [areaOf(route.path)],
    security: admittedTo(route).map((credential) => ({ [credential]: [] })),
    parameters: parametersOf(route),
    ...(route.body !== null && { requestBody: requestOf(route.body) }),
    responses: {
      [status]: success,
      ...(route.also !== null && { [route.also.status]: successOf(route, route.also.answer) }),
      ...refusalsOf(route),
    },
  };
}

function requestOf(body: BodyClass): object {
  const schema = schemaOfClass(body);
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${body.name}` }, example: exampleOf(schema) } };
  return { required: schema.required !== undefined, content };
}

function componentsOf(routes: readonly Route[], events: readonly DescribedEvent[]): object {
  const answers = routes.flatMap(({ answer, also }) => (also === null ? [answer] : [answer, also.answer]));
  const resources = [...answers, ...events.map(({ data }) => data), ...Object.values(PAGINATION), ...Object.values(PROBLEMS)];
  const bodies = routes.flatMap(({ body }) => (body === null ? [] : [body]));
  return {
    schemas: {
      ...Object.fromEntries(resources.map(({ name, schema }) => [name, schema])),
      ...Object.fromEntries(bodies.map((body) => [body.name, schemaOfClass(body)])),
    },
    parameters: HEADERS,
    headers: RESPONSE_HEADERS,
    responses: refusalsOfAll(routes),
  };
}

/** Returns the area of a path. `auth` and `businesses` belong to identity. */
function areaOf(path: string): string {
  const area = path.split('/')[2]!;
  return ['auth', 'businesses'].includes(area) ? 'identity' : area;
}
