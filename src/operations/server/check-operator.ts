import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.js';
import { isLoopback } from '../../config/loopback.js';
import { createRejection } from '../../http/problems/rejection-mapping.js';

/** Load balancers and container engines request this path without a token. */
const PUBLIC_PATH = '/health/live';
/** The files of the console hold no data; the console asks for the token. */
const CONSOLE = /^\/console(\/|$)/;
/** Commands need the token on every address: a page in a browser can send requests to loopback. */
const COMMANDS = '/ops/';

/** @throws Rejection unless the path is open to this request, or the request has `OPS_TOKEN` */
export function checkOperator(
  { raw: { headers, headersDistinct }, routeOptions, url }: FastifyRequest,
  { opsHost, opsToken }: Pick<Config, 'opsHost' | 'opsToken'>,
): void {
  // The router decodes a path before it selects the route.
  const path = routeOptions.url ?? url;
  if (path === PUBLIC_PATH || CONSOLE.test(path) || (isLoopback(opsHost) && !path.startsWith(COMMANDS))) return;
  const { authorization } = headers;
  if (authorization === undefined) throw createRejection('authentication_required');
  // A proxy may take another one of two headers than this server does.
  if (headersDistinct.authorization!.length > 1) throw createRejection('bad_request');
  const [scheme, token] = authorization.split(' ', 2);
  if (scheme?.toLowerCase() !== 'bearer' || !equalsInConstantTime(token ?? '', opsToken))
    throw createRejection('invalid_credentials');
}

function equalsInConstantTime(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a!, b!);
}
