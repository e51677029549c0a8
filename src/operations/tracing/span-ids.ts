import { randomBytes } from 'node:crypto';
import type { IdGenerator } from '@opentelemetry/sdk-trace';

const SPAN_ID_BYTES = 8;

/** Gives the next span the ids that were chosen for it. */
export class SpanIds implements IdGenerator {
  private traceId = '';
  private spanId: string | null = null;

  /** @param spanId null: a random one */
  next(traceId: string, spanId: string | null): void {
    this.traceId = traceId;
    this.spanId = spanId;
  }

  generateTraceId(): string {
    return this.traceId;
  }

  generateSpanId(): string {
    return this.spanId ?? randomBytes(SPAN_ID_BYTES).toString('hex');
  }
}
