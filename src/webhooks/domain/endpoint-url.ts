import { hasInvisible } from '../../kernel/text.js';
import { hasCredentials } from '../../kernel/url.js';

export const MAX_URL_LENGTH = 2_048;
const MAX_LABEL_LENGTH = 63;

/** Returns the error in the syntax of a URL, or null. The address is not checked here. */
export function findUrlError(given: unknown): string | null {
  if (given === undefined) return 'url is required.';
  if (typeof given !== 'string') return 'The URL must be a string.';
  if (given.length > MAX_URL_LENGTH) return `The URL must have at most ${MAX_URL_LENGTH} characters.`;
  // The URL parser drops or encodes these characters, so the shown URL would differ from the called one.
  if (hasInvisible(given)) return 'The URL must not contain white space, control characters or invisible characters.';
  if (!URL.canParse(given)) return 'The URL must be absolute.';
  const { protocol, port, hostname } = new URL(given);
  if (protocol !== 'https:' && protocol !== 'http:') return 'The URL must begin with https://.';
  // The URL parser corrects these forms, so the shown URL would differ from the called one.
  if (!/^https?:\/\/[^/\\]/i.test(given) || given.includes('\\')) return 'The URL must begin with https:// and a host.';
  if (port === '0') return 'The URL must not use port 0.';
  if (!isResolvable(hostname)) return 'The host name has an empty part, or one of more than 63 characters.';
  return hasCredentials(given) ? 'The URL must not contain a user name or a password.' : null;
}

/** Returns whether a name server can have this name, dots at its end apart. */
function isResolvable(hostname: string): boolean {
  if (hostname.startsWith('[')) return true;
  return hostname
    .replace(/\.+$/, '')
    .split('.')
    .every((label) => label.length > 0 && label.length <= MAX_LABEL_LENGTH);
}
