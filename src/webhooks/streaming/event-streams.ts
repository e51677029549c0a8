import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Authenticator } from '../../kernel/authenticator.js';
import { reportAndIgnore, reportFailure } from '../../kernel/background-errors.js';
import type { Caller } from '../../kernel/caller.js';
import { Clock } from '../../kernel/clock.js';
import { EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { Rejection } from '../../kernel/rejection.js';
import { PublicEventCache } from '../delivery/public-event-cache.js';
import { EventMessages } from './event-messages.js';
import { EventStream, type Selection, STREAM } from './event-stream.js';
import { PublicEventFeed } from './public-event-feed.js';
import type { StreamConnection } from './stream-connection.js';

const MAX_STREAMS = 20;
const IDLE_MS = 15_000;
/** With the cache of API keys, a stream ends within 5 s of the revocation of its key. */
const CHECK_MS = 500;

/** The credential of a stream, which is checked while the stream is open. */
export interface StreamCredential {
  readonly authorization: string;
  readonly caller: Caller;
}

interface OpenStream {
  readonly connection: StreamConnection;
  readonly credential: StreamCredential;
  /** Milliseconds since 1970; null for a credential without an end. */
  readonly endsAt: number | null;
}

/** The open streams of this process. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly open = new Set<OpenStream>();
  private readonly counts = new Map<string, number>();
  private readonly stopping = new AbortController();
  private checking: Promise<void> | null = null;

  constructor(
    readonly reader: ReadModelReader,
    readonly events: PublicEventCache,
    readonly messages: EventMessages,
    readonly feed: PublicEventFeed,
    private readonly store: EventStore,
    private readonly authenticator: Authenticator,
    private readonly clock: Clock,
  ) {}

  onModuleDestroy(): void {
    this.stopping.abort();
    for (const { connection } of this.open) connection.close();
  }

  /** @throws Rejection `rate_limited` when the business has too many streams */
  assertAvailable(business: string): void {
    if ((this.counts.get(business) ?? 0) >= MAX_STREAMS)
      throw new Rejection('rate_limited', `A business can have ${MAX_STREAMS} streams at the same time.`);
  }

  readHead(): Promise<Position> {
    return this.store.readHead();
  }

  /** Registers the stream and starts it. The stream ends with its connection. */
  run(
    connection: StreamConnection,
    credential: StreamCredential,
    { selection, last }: { readonly selection: Selection; readonly last: Position },
  ): void {
    this.register({ connection, credential, endsAt: readEnd(credential) }, selection.owner.business!);
    const stream = new EventStream(selection, last, connection, this);
    // The client connects again with the last id that it has.
    stream.start().catch((error: unknown) => {
      if (!connection.signal.aborted) reportFailure(STREAM, error);
      connection.close();
    });
  }

  private register(stream: OpenStream, business: string): void {
    this.open.add(stream);
    this.counts.set(business, (this.counts.get(business) ?? 0) + 1);
    stream.connection.signal.addEventListener('abort', () => {
      this.open.delete(stream);
      const left = this.counts.get(business)! - 1;
      if (left === 0) this.counts.delete(business);
      else this.counts.set(business, left);
    });
    this.checking ??= this.check()
      .catch(reportAndIgnore(STREAM))
      .finally(() => (this.checking = null));
  }

  /** Checks the streams until none is open. */
  private async check(): Promise<void> {
    while (this.open.size > 0 && !this.stopping.signal.aborted) {
      for (const stream of [...this.open]) {
        if (await this.hasEnded(stream)) stream.connection.close();
        else stream.connection.keepAlive(IDLE_MS);
      }
      await this.clock.sleep(CHECK_MS, this.stopping.signal);
    }
  }

  /** An outage does not end a stream. */
  private async hasEnded({ credential, endsAt }: OpenStream): Promise<boolean> {
    if (endsAt !== null) return this.clock.now() >= endsAt;
    return this.authenticator.authenticate(credential.authorization).then(
      () => false,
      (error: unknown) => error instanceof Rejection,
    );
  }
}

/** Returns the end of a session token. The guard has verified the token. */
function readEnd({ authorization, caller }: StreamCredential): number | null {
  return caller.kind === 'session' ? decodeJwt(authorization.replace(/^Bearer +/i, '').trim()).exp! * 1_000 : null;
}
