import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { NewEvent } from '../../src/kernel/event.js';
import { importBuilt } from './built.ts';

const { createFile, openForWriting } =
  await importBuilt<typeof import('../../src/stores/embedded/schema.js')>('stores/embedded/schema.js');

const INSERT = 'insert into events (stream, revision, id, type, data, meta) values (?, ?, ?, ?, ?, ?)';
const NOTE = 'x'.repeat(200);

let streams = 0;

/** Returns the name of a new stream. */
export function createStreamName(): string {
  return `jar-${++streams}`;
}

export function createEvent(): NewEvent {
  const commandId = randomUUID();
  return {
    id: randomUUID(),
    type: 'CoinsAdded',
    data: { jarId: 'jar_01kc3ywtm0q3b7d1v4n9x2z5ah', coins: 5, note: NOTE, addedAt: '2026-02-01T09:00:00.000Z' },
    meta: {
      at: '2026-02-01T09:00:00.000Z',
      command: 'AddCoins',
      commandId,
      correlationId: 'req_01kc3ywtm0q3b7d1v4n9x2z5ah',
      causationId: 'req_01kc3ywtm0q3b7d1v4n9x2z5ah',
      actor: { type: 'api_key', id: 'key_01kc3ywtm0q3b7d1v4n9x2z5ah' },
      business: 'biz_01kc3ywtm0q3b7d1v4n9x2z5ah',
      mode: 'live',
      requestId: 'req_01kc3ywtm0q3b7d1v4n9x2z5ah',
      v: 1,
    },
  };
}

/** A minimal event store: the same table and rows in a file with the same settings, and nothing else. */
export class BareLog {
  private readonly db: DatabaseSync;
  private readonly insert: (stream: string, { id, type, data, meta }: NewEvent) => void;

  constructor(file: string) {
    createFile(file);
    openForWriting(file).close();
    this.db = new DatabaseSync(file);
    this.db.exec('pragma journal_mode = wal; pragma fullfsync = on; pragma synchronous = full');
    const statement = this.db.prepare(INSERT);
    this.insert = (stream, { id, type, data, meta }) =>
      void statement.run(stream, 0, id, type, JSON.stringify(data), JSON.stringify(meta));
  }

  /** Appends events in one commit. */
  append(events: readonly NewEvent[]): void {
    if (events.length === 1) return this.insert(createStreamName(), events[0]!);
    this.db.exec('begin immediate');
    for (const event of events) this.insert(createStreamName(), event);
    this.db.exec('commit');
  }

  close(): void {
    this.db.close();
  }
}
