import type { AppInfo } from './options.ts';

/** The version in package.json. */
export const VERSION = '1.0.0';

/** Returns the `User-Agent` of this client. Null in a browser, which sends its own. */
export function createUserAgent(app?: AppInfo): string | null {
  const runtime = (globalThis.navigator as { readonly userAgent?: string } | undefined)?.userAgent;
  if (runtime?.startsWith('Mozilla/')) return null;
  const words = [`event-sourced-api-client/${VERSION}`];
  if (runtime !== undefined) words.push(runtime);
  if (app !== undefined) words.push(app.version === undefined ? app.name : `${app.name}/${app.version}`);
  if (app?.url !== undefined) words.push(`(${app.url})`);
  return words.join(' ');
}
