import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey, nameByStream } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { describe, ref, resource } from '../../kernel/schema.js';
import { endpointHandlers } from '../commands/endpoint.commands.js';
import { EndpointQuotaSteps } from '../commands/endpoint-quota.steps.js';
import { RotateSecretHandler } from '../commands/secret-rotation.commands.js';
import { SendTestEventHandler } from '../commands/test-event.commands.js';
import { endpointDecider } from '../domain/endpoint.js';
import { endpointQuotaDecider } from '../domain/endpoint-quota.js';
import { TEST_TYPE } from '../domain/event-types.js';
import { testEventLimitDecider } from '../domain/test-event-limit.js';
import { EndpointsController } from '../http/endpoints.controller.js';
import { DestroySecrets } from '../processes/destroy-secrets.js';
import { MailEndpointNotices } from '../processes/mail-endpoint-notices.js';
import { MonitorEndpointHealth } from '../processes/monitor-endpoint-health.js';
import { NoticeRecipients } from '../processes/notice-recipients.js';
import { endpointHealth } from '../projections/endpoint-health.js';
import { endpointStats } from '../projections/endpoint-stats.js';
import { endpointWarnings, endpointWarningSchema } from '../projections/endpoint-warnings.js';
import { endpoints, endpointSchema } from '../projections/endpoints.js';
import { endpointQueryHandlers } from '../queries/endpoint.queries.js';
import { EndpointHours } from '../queries/endpoint-hours.js';
import { EndpointRecords } from '../queries/endpoint-records.js';
import { RetrieveEndpointStatsHandler } from '../queries/endpoint-stats.queries.js';
import { RetrieveHourlyStatsHandler } from '../queries/hourly-stats.queries.js';

const endpoint = createAuditedResource('webhook_endpoint', endpoints);
/** The data of a test event. */
const testDataSchema = resource('WebhookTest', {
  endpoint: describe(ref('webhook_endpoint', 'whs'), 'The endpoint to which the test event is sent.'),
});

/** The endpoints of receivers, their secrets, health and statistics. */
export const endpointFeature: Feature = {
  streams: [
    auditStream(endpointDecider, endpoint),
    auditStream(endpointQuotaDecider, nameByKey(endpoint, 'endpointId')),
    auditStream(testEventLimitDecider, nameByStream(endpoint)),
  ],
  projections: [endpoints, endpointHealth, endpointStats],
  publicEvents: [
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
      change: true,
    }),
    {
      type: TEST_TYPE,
      summary: 'A test event',
      description: 'The service sends it to one endpoint on request. Endpoints cannot subscribe to it.',
      schema: testDataSchema,
    },
  ],
  controllers: [EndpointsController],
  providers: [
    EndpointQuotaSteps,
    EndpointHours,
    EndpointRecords,
    NoticeRecipients,
    ...endpointHandlers,
    RotateSecretHandler,
    SendTestEventHandler,
    ...endpointQueryHandlers,
    RetrieveEndpointStatsHandler,
    RetrieveHourlyStatsHandler,
  ],
  reactors: [DestroySecrets, MonitorEndpointHealth, MailEndpointNotices],
  jobs: [MailEndpointNotices],
};
