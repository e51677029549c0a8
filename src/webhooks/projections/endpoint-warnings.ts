import type { Projection } from '../../kernel/projection.js';
import { dateTime, describe, enumOf, integer, nullable, object, resource, type ValueOf } from '../../kernel/schema.js';
import type { EndpointEvent } from '../domain/endpoint.js';
import { type EndpointDocument, endpointFields, endpoints } from './endpoints.js';

const warningSchema = object({
  reason: describe(
    enumOf('failing', 'refused_after_rotation'),
    'Whether deliveries have failed for days (`failing`), or the receiver has refused them since the signing secret was replaced (`refused_after_rotation`).',
  ),
  since: describe(
    dateTime,
    'The time of the first failure since the last success, or of the replacement of the secret.',
  ),
  days: describe(nullable(integer), 'The number of days of failure; null for the reason `refused_after_rotation`.', 3),
  failures: describe(integer, 'The number of failed attempts since then.', 12),
});

export const endpointWarningSchema = resource('WebhookEndpointWarning', {
  ...endpointFields,
  warning: describe(warningSchema, 'The news for the owner of the endpoint.'),
});

/** The endpoint at the time of a warning, and the warning, which an earlier document lacks. */
export interface EndpointWarningDocument extends EndpointDocument {
  readonly warning?: ValueOf<typeof warningSchema>;
}

/**
 * The data of a public warning event. It is rendered from the endpoint's stream at publication and has no read model.
 */
export const endpointWarnings: Projection<EndpointWarningDocument, EndpointEvent> = {
  ...endpoints,
  name: 'endpointWarnings',
  on: {
    ...endpoints.on,
    EndpointWarned: (document, event, id) => {
      const endpoint = endpoints.on.EndpointWarned(document, event, id);
      return endpoint && { ...endpoint, warning: event.data.warning };
    },
  },
};
