import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { LruCache } from '../../engine/lru-cache.js';
import { Rejection } from '../../kernel/rejection.js';
import type { TracedWork, Tracer } from '../../kernel/tracing.js';
import { SpanIds } from './span-ids.js';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
const MAX_KNOWN_IDS = 10_000;

export interface TracingOptions {
  /** Base URL of a collector for OTLP over HTTP. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** The share of traces to send, 0 to 1. */
  readonly ratio: number;
}

/**
 * Sends spans to a collector. The ids of traces and spans derive from the ids of requests, commands and events, so that
 * all processes contribute to the same trace without passing anything to each other.
 */
export class OtlpTracer implements Tracer {
  private readonly active = new AsyncLocalStorage<SpanContext>();
  private readonly ids = new SpanIds();
  /** The ids that have a span already. A command that is executed on two streams has a second span. */
  private readonly known = new LruCache<string, true>(MAX_KNOWN_IDS);
  private readonly provider: TracerProvider;
  private readonly tracer: ReturnType<TracerProvider['getTracer']>;

  constructor({ endpoint, serviceName, ratio }: TracingOptions) {
    const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': serviceName }),
      sampler: new TraceIdRatioBasedSampler(ratio),
      idGenerator: this.ids,
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.tracer = this.provider.getTracer(serviceName);
  }

  async run<T>(work: TracedWork, execute: () => Promise<T>): Promise<T> {
    const span = this.start(work, Date.now());
    try {
      return await this.active.run(span.spanContext(), execute);
    } catch (error) {
      markEnded(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  record(work: TracedWork, ms: number): void {
    const now = Date.now();
    this.start(work, now - ms).end(now);
  }

  /** Sends the spans that are left. */
  stop(): Promise<void> {
    return this.provider.shutdown();
  }

  private start(work: TracedWork, startTime: number): Span {
    const traceId = toTraceId(work.correlationId);
    this.ids.next(traceId, this.chooseSpanId(work));
    const parent = this.findParent(work, traceId);
    const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    const attributes: Attributes = work.attributes;
    return this.tracer.startSpan(work.name, { kind: KINDS[work.kind], startTime, attributes }, context);
  }

  private findParent({ id, causationId }: TracedWork, traceId: string): SpanContext | null {
    const active = this.active.getStore();
    if (active?.traceId === traceId) return active;
    if (causationId === id) return null;
    return { traceId, spanId: toSpanId(causationId), traceFlags: TraceFlags.SAMPLED, isRemote: true };
  }

  /** Returns null for a random id. */
  private chooseSpanId({ id }: TracedWork): string | null {
    if (id === undefined || this.known.get(id) !== undefined) return null;
    this.known.set(id, true);
    return toSpanId(id);
  }
}

/** Messages are not sent, because they may contain a text of a caller. A rejection is no error of the service. */
function markEnded(span: Span, error: unknown): void {
  if (error instanceof Rejection) return void span.setAttribute('rejection.code', error.code);
  span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function toTraceId(correlationId: string): string {
  return hash('sha256', `trace ${correlationId}`, 'hex').slice(0, 32);
}

function toSpanId(id: string): string {
  return hash('sha256', `span ${id}`, 'hex').slice(0, 16);
}
