/** Why a request got no complete response. Browsers and workerd tell no more than `network`, or `timeout`. */
export type ConnectionFault = 'timeout' | 'refused' | 'dns' | 'tls' | 'closed' | 'network';

/** A chain of causes can be circular. */
const MOST_CAUSES = 5;
/** An address can contain any of the words below. */
const ADDRESS = /\w+:\/\/[^\s)]+/g;
/** How Node, Deno and Bun name the faults. The first match decides. */
const PATTERNS: readonly (readonly [ConnectionFault, RegExp])[] = [
  ['timeout', /TimeoutError|TIMEDOUT|_TIMEOUT/],
  ['refused', /ECONNREFUSED|connection refused/i],
  ['dns', /ENOTFOUND|EAI_|getaddrinfo|dns error/i],
  ['closed', /ECONNRESET|EPIPE|UND_ERR_SOCKET|reset by peer|connection was closed|terminated|reading a body/i],
  ['tls', /CERT|_TLS_|_SSL_|EPROTO|certificate|corrupt message|handshake/i],
];

/** Finds the fault, and the message that says most, in an error of `fetch`. */
export function explainFailure(error: unknown): { readonly fault: ConnectionFault; readonly reason: string } {
  const causes = collectCauses(error);
  const text = causes.map(({ name, code, message }) => `${name} ${code} ${message.replace(ADDRESS, '')}`).join('\n');
  const [fault] = PATTERNS.find(([, pattern]) => pattern.test(text)) ?? (['network'] as const);
  return { fault, reason: causes.findLast(({ message }) => message !== '')?.message.trim() ?? String(error) };
}

interface Cause extends Error {
  readonly code?: string | number;
  /** The failures of the several addresses of one host. */
  readonly errors?: readonly unknown[];
}

function collectCauses(error: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let each = error as Cause | undefined; each instanceof Error && causes.length < MOST_CAUSES;) {
    causes.push(each);
    each = (each.cause ?? each.errors?.[0]) as Cause | undefined;
  }
  return causes;
}
