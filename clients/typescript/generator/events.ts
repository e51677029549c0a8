import type { OpenApiDocument } from '../../generator/document.ts';

/** Returns the source of the union of all webhook events. */
export function writeEvents({ webhooks }: OpenApiDocument): string {
  const types = Object.values(webhooks).map(({ post: { operationId } }) => {
    const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
    return `  | T.${name}WebhookPayload\n`;
  });
  return `// Generated from the OpenAPI document by \`npm run client\`. Do not edit.
import type * as T from './types.gen.ts';

/** The body of a webhook. Its \`type\` decides the type of its \`data\`. */
export type WebhookEvent =
${types.join('').trimEnd()};
`;
}
