import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { ConsistencyContext, type Context } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import { type AuditRead, auditReadDecider } from '../domain/audit-read.js';

/** Records that a caller reads the change history. */
@Injectable()
export class AuditReads {
  constructor(private readonly streams: Streams) {}

  /** The read itself does not wait for its own entry. */
  async record(context: Context, read: Omit<AuditRead, 'readId'>): Promise<void> {
    const readId = idOf('aud', context.at, context.commandId);
    const command = { type: 'RecordAuditRead', read: { readId, ...read } } as const;
    await this.streams.execute(auditReadDecider, readId, command, {
      ...context,
      consistency: new ConsistencyContext(),
    });
  }
}
