import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

export type SecurityHeaders = Readonly<Record<string, string>>;

/** Responses are data or plain text pages, so nothing may be loaded. */
const HELMET_OPTIONS = {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
};

/**
 * Returns the security headers of helmet. They are constant, so they are computed once. Responses of the parser, which
 * no hook sees, carry the headers too.
 */
export function createSecurityHeaders(): SecurityHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(HELMET_OPTIONS)(request, response, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}
