import type { EventOf, Projection } from '../../kernel/projection.js';
import type { EndpointEvent } from '../domain/endpoint.js';
import type { EndpointWarning } from '../domain/endpoint-health.js';
import { type EndpointDocument, endpoints } from './endpoints.js';

/** The endpoint at the time of a warning, and the warning. */
export interface EndpointWarningDocument extends EndpointDocument {
  readonly warning: EndpointWarning;
}

/**
 * The data of a public warning event. It is rendered from the endpoint's stream at publication and has no read model.
 */
export const endpointWarnings = {
  ...endpoints,
  name: 'endpointWarnings',
  on: {
    ...endpoints.on,
    EndpointWarned: (document, event: EventOf<EndpointEvent, 'EndpointWarned'>) => {
      const endpoint = endpoints.on.EndpointWarned!(document, event);
      return endpoint && { ...endpoint, warning: event.data.warning };
    },
  },
} as Projection<EndpointWarningDocument>;
