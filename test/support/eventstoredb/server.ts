import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Server, ServerCredentials, type Metadata, type ServerReadableStream, type sendUnaryData } from '@grpc/grpc-js';
import { DatabaseLog, type Proposed, type Written } from './log.ts';
import { SingleNode, type Member } from './member.ts';
import {
  accessDenied,
  appendAnswer,
  clusterOf,
  nameIn,
  proposedIn,
  Refusal,
  streamDeleted,
  supportedMethods,
  tooLarge,
} from './messages.ts';
import { serveAll, serveStream, serveSubscription, type Call } from './reading.ts';

const MAX_APPEND_BYTES = 1024 * 1024;

/** A fault of one append: returns an outcome, throws a `GrpcError`, or returns a promise of either. */
export type AppendFault = (write: () => Written | Promise<Written>) => Written | Promise<Written>;
/** A fault of one read or subscription; returns true when it has handled the call. */
export type ReadFault = (call: Call) => boolean;

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
export interface Asked {
  readonly method: 'append' | 'stream' | 'all' | 'subscription';
  readonly requiresLeader: boolean;
}

/** An in-process EventStoreDB: the gRPC services that the client uses, with injected faults. */
export class EventStoreDbServer {
  readonly asked: Asked[] = [];
  readonly appendFaults: AppendFault[] = [];
  readonly readFaults: ReadFault[] = [];
  /** Filtered subscriptions get the checkpoint of the end of the log before the events that precede it. */
  rashCheckpoints = false;
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
    return connectionTo(this.port);
  }

  /** Stops at once and aborts all calls in progress. */
  stop(): void {
    this.server.forceShutdown();
  }

  private bind(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.bindAsync(`127.0.0.1:${this.options.port ?? 0}`, credentialsOf(this.options), (error, port) => {
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
        read: (call: Call) => void this.read(call),
        append: (call: ServerReadableStream<streams.AppendReq, streams.AppendResp>, answer: sendUnaryData<streams.AppendResp>) =>
          this.append(call, answer),
        batchAppend: () => undefined,
      },
    );
    this.server.addService(features.ServerFeaturesService, {
      getSupportedMethods: (_: unknown, answer: sendUnaryData<unknown>) => answer(null, supportedMethods()),
    });
    this.server.addService(gossip.GossipService, {
      read: (_: unknown, answer: sendUnaryData<unknown>) =>
        void this.member.gossip().then(
          (members) => answer(null, clusterOf(members)),
          (refusal: Refusal) => answer(refusal),
        ),
    });
  }

  private async read(call: Call): Promise<void> {
    const options = call.request.getOptions()!;
    const method = options.hasSubscription() ? 'subscription' : options.hasStream() ? 'stream' : 'all';
    const subscribing = { rash: this.rashCheckpoints, awake: () => this.member.awake() };
    try {
      await this.member.awake();
      this.admit(method, call.metadata);
      if (this.readFaults.shift()?.(call)) return;
      if (method === 'subscription') serveSubscription(this.log, call, options, subscribing).catch(() => undefined);
      else if (method === 'stream') serveStream(this.log, call, options);
      else serveAll(this.log, call, options);
    } catch (error) {
      call.emit('error', error);
    }
  }

  private append(call: ServerReadableStream<streams.AppendReq, streams.AppendResp>, answer: sendUnaryData<streams.AppendResp>): void {
    let [stream, expected]: [string, number | null] = ['', null];
    const proposed: Proposed[] = [];
    call.on('data', (request: streams.AppendReq) => {
      const options = request.getOptions();
      if (options === undefined) proposed.push(proposedIn(request.getProposedMessage()!));
      else
        [stream, expected] = [nameIn(options), options.hasNoStream() ? -1 : options.hasRevision() ? Number(options.getRevision()) : null];
    });
    call.on('error', () => undefined);
    call.once('end', () => {
      // A reset connection first ends its streams and reports the cancellation a moment later. An incomplete append is
      // dropped.
      setImmediate(() => {
        if (call.cancelled) return;
        this.appended(stream, expected, proposed, call.metadata).then(
          (written) => answer(null, appendAnswer(written)),
          (refusal: Refusal) => answer(refusal),
        );
      });
    });
  }

  private async appended(stream: string, expected: number | null, proposed: readonly Proposed[], metadata: Metadata): Promise<Written> {
    await this.member.awake();
    this.admit('append', metadata);
    if (this.log.isDeleted(stream)) throw streamDeleted(stream);
    const bytes = proposed.reduce((sum, { data, metadata, type }) => sum + data.length + metadata.length + 2 * type.length, 0);
    if (bytes > MAX_APPEND_BYTES) throw tooLarge(MAX_APPEND_BYTES);
    const fault = this.appendFaults.shift() ?? ((write) => write());
    return fault(() => this.member.append(stream, expected, proposed));
  }

  private admit(method: Asked['method'], metadata: Metadata): void {
    const requiresLeader = metadata.get('requires-leader')[0] === 'true';
    this.asked.push({ method, requiresLeader });
    const { tls } = this.options;
    const expected = tls?.user && `Basic ${Buffer.from(`${tls.user}:${tls.password}`).toString('base64')}`;
    if (metadata.get('authorization')[0] !== expected) throw accessDenied();
    this.member.admit(requiresLeader);
  }
}

/** Returns the connection string of a client without TLS. */
export function connectionTo(port: number): string {
  return `esdb://127.0.0.1:${port}?tls=false`;
}

function credentialsOf({ tls }: ServerOptions): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { certificate, key, authority } = tls;
  const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) };
  return ServerCredentials.createSsl(authority === undefined ? null : Buffer.from(authority), [pair], authority !== undefined);
}
