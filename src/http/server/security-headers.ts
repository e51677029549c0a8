import helmet from '@fastify/helmet';
import { fastify } from 'fastify';

export type SecurityHeaders = Readonly<Record<string, string>>;

/** Responses are data or plain text pages, so nothing may be loaded. */
const HELMET_OPTIONS = {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
};
const PER_RESPONSE_HEADERS = ['content-length', 'connection', 'date'];

/**
 * Returns the security headers of helmet. They are constant, so they are computed once. Responses of the parser, which
 * no hook sees, carry the headers too.
 */
export async function createSecurityHeaders(): Promise<SecurityHeaders> {
  const server = fastify();
  await server.register(helmet, HELMET_OPTIONS);
  server.get('/', (_, reply) => reply.send());
  const { headers } = await server.inject('/');
  await server.close();
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !PER_RESPONSE_HEADERS.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );
}
