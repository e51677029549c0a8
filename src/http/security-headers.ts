import helmet from '@fastify/helmet';
import { fastify } from 'fastify';

export type SecurityHeaders = Readonly<Record<string, string>>;

/** Answers are data, and the page about a code shows nothing but text. A route that shows more has a policy of its own. */
const OPTIONS = {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
};
const OF_THE_ONE_ANSWER = ['content-length', 'connection', 'date'];

/**
 * What helmet has every answer say. It is always the same, so it is asked once: answers that no hook sees (the parser's) say it too,
 * and no request pays for it.
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
