import type { FastifyServerOptions } from 'fastify';

/** No route declares a schema to Fastify. Without this option it loads its schema compilers, a tenth of the start. */
export const NO_SCHEMAS: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema },
};

function rejectSchema(): never {
  throw new Error('A route declares a schema, and the service loads no schema compiler.');
}
