import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { NO_STORE } from '../server/ingress.js';

/** The built console. Its index page names all other files. */
const FOLDER = join(import.meta.dirname, '../../../console/dist');
const INDEX_FILE = 'index.html';
/** Names of files in this folder hold a hash of their content. */
const HASHED_FOLDER = '/assets/';
const FOREVER = 'public, max-age=31536000, immutable';
export const CONSOLE_PATH = '/console';

/** The settings that the console reads first. */
export interface ConsoleSettings {
  /** The port that serves the console: that of the API, or that of the operators. */
  readonly surface: 'api' | 'operators';
  /** The identity provider for signing in; null: the console asks for a key or a token. */
  readonly oidc: { readonly issuer: string; readonly client_id: string } | null;
  /** Whether a link may sign in: only a service that signs its own development tokens makes such links. */
  readonly links: boolean;
}

/** Whether the console is built. */
export function hasConsole(): boolean {
  return existsSync(join(FOLDER, INDEX_FILE));
}

/**
 * Serves the console under /console. Pages of the console have addresses without a file; they all get the index page.
 * A clone that has not built the console answers 404 there.
 */
export async function registerConsole(server: FastifyInstance, settings: ConsoleSettings): Promise<void> {
  if (!hasConsole()) return;
  const index = readFileSync(join(FOLDER, INDEX_FILE), 'utf8');
  const headers = {
    'cache-control': NO_STORE,
    'content-security-policy': createContentSecurityPolicy(settings),
    'content-type': 'text/html; charset=utf-8',
  };
  const sendIndex = (_: unknown, reply: FastifyReply) => reply.headers(headers).send(index);
  await server.register(staticFiles, {
    root: FOLDER,
    prefix: CONSOLE_PATH,
    wildcard: false,
    index: false,
    decorateReply: false,
    globIgnore: [INDEX_FILE],
    setHeaders: (reply, path) => {
      void reply.header('cache-control', path.includes(HASHED_FOLDER) ? FOREVER : 'public, max-age=300');
    },
  });
  server.get(`${CONSOLE_PATH}/settings.json`, (_, reply) => reply.header('cache-control', NO_STORE).send(settings));
  server.get(CONSOLE_PATH, sendIndex);
  server.get(`${CONSOLE_PATH}/*`, sendIndex);
}

/** Only files of this origin run and style the page, and it calls only this origin and the identity provider. */
function createContentSecurityPolicy({ oidc }: ConsoleSettings): string {
  const provider = oidc === null ? '' : ` ${new URL(oidc.issuer).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self'${provider}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
