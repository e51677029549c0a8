import { setTimeout } from 'node:timers/promises';
import type { Config } from '../../config/config.js';
import { setTracer } from '../../kernel/tracing.js';

/** A collector that does not respond must not delay the end of the process. */
const STOP_TIMEOUT_MS = 1_000;

/**
 * Starts to trace when a collector is configured, and loads the libraries only then.
 * @returns a function that sends the last spans and stops
 */
export async function startTracing({ tracing }: Config): Promise<() => Promise<void>> {
  if (tracing === null) return () => Promise.resolve();
  const { OtlpTracer } = await import('./otlp-tracer.js');
  const tracer = new OtlpTracer(tracing);
  setTracer(tracer);
  return async () => {
    setTracer(null);
    // Spans that no collector takes are lost.
    await Promise.race([tracer.stop().catch(() => undefined), setTimeout(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  };
}
