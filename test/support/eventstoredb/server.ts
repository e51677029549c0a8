import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type Metadata, type sendUnaryData, Server, ServerCredentials, type ServerReadableStream } from '@grpc/grpc-js';
import { type AppendOutcome, DatabaseLog, type ProposedEvent } from './log.ts';
import { type Member, SingleNode } from './member.ts';
import {
  createAccessDeniedError,
  createStreamDeletedError,
  createSupportedMethods,
  createTooLargeError,
  GrpcError,
  parseProposedEvent,
  parseStreamName,
  toAppendResponse,
  toClusterInfo,
} from './messages.ts';
import { type ReadCall, serveAll, serveStream, serveSubscription } from './serve-reads.ts';

const MAX_APPEND_BYTES = 1024 * 1024;

/** A fault of one append: returns an outcome, throws a `GrpcError`, or returns a promise of either. */
export type ServerAppendFault = (
  write: () => AppendOutcome | Promise<AppendOutcome>,
) => AppendOutcome | Promise<AppendOutcome>;
/** A fault of one read or subscription; returns true when it has handled the call. */
export type ServerReadFault = (call: ReadCall) => boolean;

export interface ServerOptions {
  /** A free port by default. */
  readonly port?: number;
  readonly log?: DatabaseLog;
  /** A node of a cluster. By default this server is the only node, with its own log. */
  readonly member?: Member;
  readonly tls?: Tls;
}

interface Tls {
  readonly certificate: string;
  readonly key: string;
  /** The only user with access. With `authority` (PEM) instead, clients authenticate by a certificate. */
  readonly user?: string;
  readonly password?: string;
  readonly authority?: string;
}

/** A call that the server received. */
export interface ReceivedCall {
  readonly method: 'append' | 'stream' | 'all' | 'subscription';
  readonly requiresLeader: boolean;
}

/** An in-process EventStoreDB: the gRPC services that the client uses, with injected faults. */
export class EventStoreDbServer {
  readonly calls: ReceivedCall[] = [];
  readonly appendFaults: ServerAppendFault[] = [];
  readonly readFaults: ServerReadFault[] = [];
  /** Filtered subscriptions get the checkpoint of the end of the log before the events that precede it. */
  prematureCheckpoints = false;
  /** Subscriptions report the end of the log. */
  reportsEnd = true;
  port = 0;
  private readonly member: Member;
  private readonly server = new Server();
  private readonly options: ServerOptions;

  private constructor(options: ServerOptions) {
    this.options = options;
    this.member = options.member ?? new SingleNode(options.log ?? new DatabaseLog(), () => this.port);
    this.addServices();
  }

  get log(): DatabaseLog {
    return this.member.log;
  }

  static async start(options: ServerOptions = {}): Promise<EventStoreDbServer> {
    const server = new EventStoreDbServer(options);
    await server.bind();
    return server;
  }

  /** The connection string of a client without TLS. */
  get connection(): string {
    return toConnectionString(this.port);
  }

  /** Stops at once and aborts all calls in progress. */
  stop(): void {
    this.server.forceShutdown();
  }

  private bind(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.bindAsync(`127.0.0.1:${this.options.port ?? 0}`, createCredentials(this.options), (error, port) => {
        this.port = port;
        if (error) reject(error);
        else resolve();
      });
    });
  }

  private addServices(): void {
    // Each event is serialised only once.
    const serialise = services.StreamsService.read.responseSerialize;
    const read = {
      ...services.StreamsService.read,
      responseSerialize: (value: streams.ReadResp | Buffer) => (Buffer.isBuffer(value) ? value : serialise(value)),
    };
    this.server.addService(
      { ...services.StreamsService, read },
      {
        read: (call: ReadCall) => void this.handleRead(call),
        append: (
          call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
          answer: sendUnaryData<streams.AppendResp>,
        ) => this.handleAppend(call, answer),
        batchAppend: () => undefined,
      },
    );
    this.server.addService(features.ServerFeaturesService, {
      getSupportedMethods: (_: unknown, answer: sendUnaryData<unknown>) => answer(null, createSupportedMethods()),
    });
    this.server.addService(gossip.GossipService, {
      read: (_: unknown, answer: sendUnaryData<unknown>) =>
        void this.member.gossip().then(
          (members) => answer(null, toClusterInfo(members)),
          (refusal: GrpcError) => answer(refusal),
        ),
    });
  }

  private async handleRead(call: ReadCall): Promise<void> {
    const options = call.request.getOptions()!;
    const method = options.hasSubscription() ? 'subscription' : options.hasStream() ? 'stream' : 'all';
    const subscribing = {
      prematureCheckpoints: this.prematureCheckpoints,
      reportsEnd: this.reportsEnd,
      waitWhilePaused: () => this.member.waitWhilePaused(),
    };
    try {
      await this.member.waitWhilePaused();
      this.admit(method, call.metadata);
      if (this.readFaults.shift()?.(call)) return;
      if (method === 'subscription') serveSubscription(this.log, call, options, subscribing).catch(() => undefined);
      else if (method === 'stream') serveStream(this.log, call, options);
      else serveAll(this.log, call, options);
    } catch (error) {
      call.emit('error', error);
    }
  }

  private handleAppend(
    call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
    answer: sendUnaryData<streams.AppendResp>,
  ): void {
    let [stream, expected]: [string, number | null] = ['', null];
    const proposed: ProposedEvent[] = [];
    call.on('data', (request: streams.AppendReq) => {
      const options = request.getOptions();
      if (options === undefined) proposed.push(parseProposedEvent(request.getProposedMessage()!));
      else
        [stream, expected] = [
          parseStreamName(options),
          options.hasNoStream() ? -1 : options.hasRevision() ? Number(options.getRevision()) : null,
        ];
    });
    call.on('error', () => undefined);
    call.once('end', () => {
      // A reset connection first ends its streams and reports the cancellation a moment later. An incomplete append is
      // dropped.
      setImmediate(() => {
        if (call.cancelled) return;
        this.appendEvents(stream, expected, proposed, call.metadata).then(
          (written) => answer(null, toAppendResponse(written)),
          (refusal: GrpcError) => answer(refusal),
        );
      });
    });
  }

  private async appendEvents(
    stream: string,
    expected: number | null,
    proposed: readonly ProposedEvent[],
    metadata: Metadata,
  ): Promise<AppendOutcome> {
    await this.member.waitWhilePaused();
    this.admit('append', metadata);
    if (this.log.isDeleted(stream)) throw createStreamDeletedError(stream);
    const bytes = proposed.reduce(
      (sum, { data, metadata, type }) => sum + data.length + metadata.length + 2 * type.length,
      0,
    );
    if (bytes > MAX_APPEND_BYTES) throw createTooLargeError(MAX_APPEND_BYTES);
    const fault = this.appendFaults.shift() ?? ((write) => write());
    return fault(() => this.member.append(stream, expected, proposed));
  }

  private admit(method: ReceivedCall['method'], metadata: Metadata): void {
    const requiresLeader = metadata.get('requires-leader')[0] === 'true';
    this.calls.push({ method, requiresLeader });
    const { tls } = this.options;
    const expected = tls?.user && `Basic ${Buffer.from(`${tls.user}:${tls.password}`).toString('base64')}`;
    if (metadata.get('authorization')[0] !== expected) throw createAccessDeniedError();
    this.member.checkRole(requiresLeader);
  }
}

/** Returns the connection string of a client without TLS. */
export function toConnectionString(port: number): string {
  return `esdb://127.0.0.1:${port}?tls=false`;
}

function createCredentials({ tls }: ServerOptions): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { certificate, key, authority } = tls;
  const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) };
  return ServerCredentials.createSsl(
    authority === undefined ? null : Buffer.from(authority),
    [pair],
    authority !== undefined,
  );
}
