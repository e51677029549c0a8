import { type PublicEventDefinition, publish } from '../kernel/public-event-definition.js';
import { ref, resource } from '../kernel/schema.js';
import { TEST_TYPE } from './domain/event-types.js';
import { endpointWarnings, endpointWarningSchema } from './projections/endpoint-warnings.js';
import { endpoints, endpointSchema } from './projections/endpoints.js';

/** The data of a test event. */
const testDataSchema = resource('WebhookTest', { endpoint: ref('webhook_endpoint', 'whs') });

/** The public events of webhooks. */
export const webhooksPublicEvents: readonly PublicEventDefinition[] = [
  {
    type: TEST_TYPE,
    summary: 'A test event',
    description: 'The service sends it to one endpoint on request. Endpoints cannot subscribe to it.',
    schema: testDataSchema,
  },
  publish({
    fact: 'EndpointWarned',
    type: 'webhook.endpoint.warning',
    summary: 'An endpoint keeps failing',
    description:
      'Deliveries to an endpoint failed for one or three days, or its receiver has refused them since the secret was rotated.',
    projection: endpointWarnings,
    schema: endpointWarningSchema,
  }),
  publish({
    fact: 'EndpointDisabled',
    type: 'webhook.endpoint.disabled',
    summary: 'An endpoint was disabled',
    description: 'The service disabled an endpoint because its deliveries failed for too long.',
    projection: endpoints,
    schema: endpointSchema,
    only: ({ data }) => data.reason === 'failing',
  }),
];
