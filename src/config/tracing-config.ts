import type { Values } from './variables.js';

/** Returns null without a collector. */
export function toTracingConfig(values: Values) {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_SERVICE_NAME: serviceName,
    OTEL_TRACES_SAMPLER_ARG: ratio,
  } = values;
  return endpoint === null ? null : { endpoint, serviceName, ratio };
}
