import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import type { Context } from '../../kernel/context.js';
import { endpointStats, type EndpointStatsDocument } from '../projections/endpoint-stats.js';

const HOURS_PER_SLICE = 500;

/** Reads the hours of an endpoint in which attempts began. */
@Injectable()
export class EndpointHours {
  constructor(private readonly reader: ReadModelReader) {}

  /** Returns the hours from `from` on, oldest first. */
  async read(endpointId: string, from: string, { consistency }: Context): Promise<EndpointStatsDocument[]> {
    const where = { endpoint_id: endpointId, hour: { from } };
    const hours: EndpointStatsDocument[] = [];
    const request = { where, orderBy: 'hour', ascending: true, limit: HOURS_PER_SLICE } as const;
    for await (const slice of readSlices(this.reader, endpointStats, request, consistency)) hours.push(...slice);
    return hours;
  }
}
