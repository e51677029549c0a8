import type { EventOf, Projection } from '../../kernel/projection.js';
import type { EndpointEvent } from '../domain/endpoint.js';
import type { Warning } from '../domain/endpoint-health.js';
import { endpoints, type EndpointDocument } from './endpoints.js';

/** The endpoint as it was, and what its owner is warned of. */
export interface EndpointWarningDocument extends EndpointDocument {
  readonly warning: Warning;
}

/** What a warning tells outside: rendered from the endpoint's stream when it is published, and kept nowhere else. */
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
