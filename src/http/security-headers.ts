import helmet from '@fastify/helmet';
import { fastify } from 'fastify';

export type SecurityHeaders = Readonly<Record<string, string>>;

/** Responses are data or plain text pages, so nothing may be loaded. */
const OPTIONS = {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
};
const OF_THE_ONE_ANSWER = ['content-length', 'connection', 'date'];

/**
 * Returns the security headers of helmet. They are constant, so they are computed once. Responses of the parser, which
 * no hook sees, carry the headers too.
 */
export async function securityHeaders(): Promise<SecurityHeaders> {
  const server = fastify();
  await server.register(helmet, OPTIONS);
  server.get('/', (_, reply) => reply.send());
  const { headers } = await server.inject('/');
  await server.close();
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OF_THE_ONE_ANSWER.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );
}
