export const MAX_URL_LENGTH = 2_048;

const SPACE_OR_CONTROL = /[\s\p{Cc}]/u;

/** What is wrong with the form of a URL, wherever it may lead; or null. */
export function faultInForm(given: unknown): string | null {
  if (given === undefined) return 'url is required.';
  if (typeof given !== 'string') return 'The URL has to be a text.';
  if (given.length > MAX_URL_LENGTH) return `A URL has at most ${MAX_URL_LENGTH} characters.`;
  // The parser would drop them, and what is shown would not be what is dialled.
  if (SPACE_OR_CONTROL.test(given)) return 'A URL has no white space and no control characters.';
  if (!URL.canParse(given)) return 'This is not an absolute URL.';
  const { protocol, username, password, port } = new URL(given);
  if (protocol !== 'https:' && protocol !== 'http:') return 'The URL must begin with https://.';
  if (port === '0') return 'Port 0 is not accepted.';
  return username === '' && password === '' ? null : 'A URL with a user name or password is not accepted.';
}
