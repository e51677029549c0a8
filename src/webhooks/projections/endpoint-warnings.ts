import type { Projection } from '../../kernel/projection.js';
import { dateTime, enumOf, integer, nullable, object, resource, type ValueOf } from '../../kernel/schema.js';
import type { EndpointEvent } from '../domain/endpoint.js';
import { type EndpointDocument, endpointFields, endpoints } from './endpoints.js';

const warningSchema = object({
  reason: enumOf('failing', 'refused_after_rotation'),
  since: dateTime,
  days: nullable(integer),
  failures: integer,
});

export const endpointWarningSchema = resource('WebhookEndpointWarning', { ...endpointFields, warning: warningSchema });

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
