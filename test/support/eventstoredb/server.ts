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

/** What becomes of one append: an answer, a refusal that is thrown, or a promise of either. */
export type AppendFault = (write: () => Written | Promise<Written>) => Written | Promise<Written>;
/** What becomes of one read or subscription: true when it has been dealt with. */
export type ReadFault = (call: Call) => boolean;

export interface ServerOptions {
  /** Free unless given. */
  readonly port?: number;
  readonly log?: DatabaseLog;
  /** A node of a cluster; else this server is the only node, with its own log. */
  readonly member?: Member;
  readonly tls?: Tls;
}

interface Tls {
  readonly certificate: string;
  readonly key: string;
  /** The one user who is let in, or the authority of all who are and send no name. In PEM, like the others. */
  readonly user?: string;
  readonly password?: string;
  readonly authority?: string;
}

/** How a call was made. */
export interface Asked {
  readonly method: 'append' | 'stream' | 'all' | 'subscription';
  readonly requiresLeader: boolean;
}

/** As much of an EventStoreDB as a client meets, in this process, with faults at will. */
export class EventStoreDbServer {
  readonly asked: Asked[] = [];
  readonly appendFaults: AppendFault[] = [];
  readonly readFaults: ReadFault[] = [];
  /** Subscriptions with a filter are told that they have reached the end before they have been sent what is there. */
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

  /** For a client without TLS. */
  get connection(): string {
    return connectionTo(this.port);
  }

  /** At once: what is under way is cut off. */
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
    // Events are serialised once, however often they are read.
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
      // A connection that is cut also ends what it carries, and says so a moment later: half an append is none.
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

/** For a client without TLS. */
export function connectionTo(port: number): string {
  return `esdb://127.0.0.1:${port}?tls=false`;
}

function credentialsOf({ tls }: ServerOptions): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { certificate, key, authority } = tls;
  const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) };
  return ServerCredentials.createSsl(authority === undefined ? null : Buffer.from(authority), [pair], authority !== undefined);
}
