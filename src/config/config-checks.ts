import { EMBEDDED, findEventStoreUrlProblem, findMongoUrlProblem, isEventStoreUrl } from '../stores/store-url.js';
import { isLoopback } from './loopback.js';
import { describeMistake } from './settings.js';
import { SETTINGS, type Values } from './variables.js';

/** Returns a warning for each setting that is dangerous on a service that other machines can reach. */
export function findInsecureSettings({
  WEBHOOK_ALLOW_CIDRS: cidrs,
  WEBHOOK_ALLOW_HTTP: http,
  HOST: host,
  SESSION_JWKS: keys,
}: Values): string[] {
  return [
    ...(keys === null && !isLoopback(host)
      ? [
          `session tokens are checked with the development keys of DATA_DIR, and HOST=${host} is not loopback (SESSION_JWKS)`,
        ]
      : []),
    ...(keys?.startsWith('http:') ? ['the keys of session tokens are fetched over plain HTTP (SESSION_JWKS)'] : []),
    ...(cidrs.length > 0
      ? [`webhooks are sent to private addresses within ${cidrs.join(', ')} (WEBHOOK_ALLOW_CIDRS)`]
      : []),
    ...(http ? ['webhooks are sent over plain HTTP (WEBHOOK_ALLOW_HTTP)'] : []),
  ];
}

/** Returns a mistake for each address of a store that cannot be used. */
export function checkAddresses({ EVENT_STORE: log, MONGODB_URL: url }: Values): string[] {
  const mongodbUrl = url ?? undefined;
  const wrong = [
    ['EVENT_STORE', log, findEventStoreUrlProblem(log)],
    ['MONGODB_URL', mongodbUrl, findMongoUrlProblem(mongodbUrl)],
  ] as const;
  return wrong.flatMap(([name, given, reason]) =>
    reason === null ? [] : [describeMistake(SETTINGS, name, given, `an address that can be used (${reason})`)],
  );
}

/** Returns a mistake for each variable that another variable requires. */
export function findMissing(values: Values): string[] {
  const {
    EVENT_STORE: eventStore,
    MONGODB_URL: mongodb,
    SESSION_JWKS: keys,
    SMTP_URL: smtp,
    STRIPE_WEBHOOK_SECRET: stripe,
    CONSOLE_OIDC_CLIENT_ID: consoleClient,
  } = values;
  const isExternal = isEventStoreUrl(eventStore);
  return [
    ...(keys ? findUnset(values, ['SESSION_ISSUER', 'SESSION_AUDIENCE'], 'SESSION_JWKS is set') : []),
    ...(consoleClient ? findUnset(values, ['SESSION_JWKS'], 'CONSOLE_OIDC_CLIENT_ID is set') : []),
    ...(smtp ? findUnset(values, ['MAIL_FROM'], 'SMTP_URL is set') : []),
    ...(stripe ? findUnset(values, ['STRIPE_SECRET_KEY'], 'STRIPE_WEBHOOK_SECRET is set') : []),
    ...(isExternal
      ? findUnset(values, ['MONGODB_URL', 'MASTER_KEY', 'KEY_PEPPER', 'SESSION_JWKS'], 'EVENT_STORE is not "embedded"')
      : []),
    ...(mongodb && eventStore === EMBEDDED
      ? [
          describeMistake(
            SETTINGS,
            'EVENT_STORE',
            EMBEDDED,
            'esdb:// and the address of EventStoreDB, because MONGODB_URL is set',
          ),
        ]
      : []),
  ];
}

function findUnset(values: Values, names: readonly (keyof Values)[], reason: string): string[] {
  return names
    .filter((name) => values[name] === null)
    .map((name) => describeMistake(SETTINGS, name, undefined, `${SETTINGS[name].expected}, because ${reason}`));
}
