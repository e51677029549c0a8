import type { OpenAPIObject } from '@nestjs/swagger';
import { schemaOfClass } from './class-schema.js';
import { admittedTo } from './credentials.js';
import { exampleOf } from './examples.js';
import { idOfSentence } from './operation.js';
import { HEADERS, parametersOf } from './parameters.js';
import { problemExamples, refusalsOf, refusalsOfAll, successOf } from './responses.js';
import type { Route } from './route.js';
import { PAGINATION, PROBLEMS, RESPONSE_HEADERS } from './schemas.js';

/** An operation as Nest knows it. */
export type NestOperation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** A route that is to be in the document, and what Nest knows of it. */
export interface DocumentedRoute {
  readonly method: string;
  readonly route: Route;
  readonly nest: NestOperation;
}

/** What Nest knows of the service, completed by what class-validator and the edge know. */
export function documentOf(nest: OpenAPIObject, routes: readonly DocumentedRoute[], publicUrl: string): object {
  const byPath = Object.entries(Object.groupBy(routes, ({ route }) => route.path));
  const operations = (those: readonly DocumentedRoute[]) => Object.fromEntries(those.map((one) => [one.method, operationOf(one)]));
  return {
    ...nest,
    servers: [{ url: publicUrl }],
    tags: [...new Set(routes.map(({ route }) => areaOf(route.path)))].map((name) => ({ name })),
    paths: Object.fromEntries(byPath.map(([path, those]) => [path, operations(those!)])),
    components: {
      ...componentsOf(routes.map(({ route }) => route)),
      examples: problemExamples(publicUrl),
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
    tags: [areaOf(route.path)],
    security: admittedTo(route).map((credential) => ({ [credential]: [] })),
    parameters: [...nest.parameters!, ...parametersOf(route)],
    ...(route.body !== null && { requestBody: requestOf(route.body) }),
    responses: {
      [status]: success,
      ...(route.also !== null && { [route.also]: success }),
      ...refusalsOf(route),
    },
  };
}

function requestOf(body: NonNullable<Route['body']>): object {
  const schema = schemaOfClass(body);
  return { required: schema.required !== undefined, content: { 'application/json': { schema, example: exampleOf(schema) } } };
}

function componentsOf(routes: readonly Route[]): object {
  const resources = [...routes.map(({ answer }) => answer), ...Object.values(PAGINATION), ...Object.values(PROBLEMS)];
  return {
    schemas: Object.fromEntries(resources.map(({ name, schema }) => [name, schema])),
    parameters: HEADERS,
    headers: RESPONSE_HEADERS,
    responses: refusalsOfAll(routes),
  };
}

/** `/v1/commerce/…` belongs to commerce; who one is and what one owns, to identity. */
function areaOf(path: string): string {
  const area = path.split('/')[2]!;
  return ['auth', 'businesses'].includes(area) ? 'identity' : area;
}
