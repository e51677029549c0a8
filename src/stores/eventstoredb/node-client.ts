import { convertToCommandError, type Credentials, EventStoreDBClient } from '@eventstore/db-client';
import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipMessages from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streamMessages from '@eventstore/db-client/generated/streams_pb.js';
import { Channel, credentials as channelCredentials, type ServiceError } from '@grpc/grpc-js';

/** The limit of the client library: an event may be larger than the default limit of gRPC. */
const MAX_MESSAGE_BYTES = 17 * 1024 * 1024;
const KEEP_ALIVE_MS = 10_000;
const CLOSE_DELAY_MS = 20;

/** The address of one server. */
export interface Node {
  readonly address: string;
  readonly port: number;
}

export interface NodeOptions {
  /** Connects without TLS. */
  readonly isInsecure: boolean;
  /** Null for a user with a certificate, or without authentication. */
  readonly credentials: Credentials | null;
  /** PEM, like the user's certificate and key. */
  readonly authority: Buffer | null;
  readonly certificate: Buffer | null;
  readonly key: Buffer | null;
  readonly name: string | null;
  readonly keepAliveIntervalMs: number | null;
  readonly keepAliveTimeoutMs: number | null;
}

/** One node of a cluster, as another node reports it. */
export interface ClusterMember {
  readonly node: Node;
  readonly isLeader: boolean;
}

export interface CallOptions {
  /** Milliseconds. */
  readonly deadline: number;
  readonly requiresLeader?: boolean;
}

/**
 * A client of one node with its own connection. The client of the library switches nodes and may close its channel
 * before pending calls begin; this one does neither: its user decides when it closes.
 */
export class NodeClient extends EventStoreDBClient {
  private channel: Channel | null = null;
  private isClosed = false;

  constructor(
    node: Node,
    private readonly options: NodeOptions,
  ) {
    const { name, isInsecure, credentials } = options;
    super(
      { endpoint: { ...node }, ...(name !== null && { connectionName: name }) },
      { insecure: isInsecure },
      credentials ?? undefined,
    );
    this.getChannel = async () => this.openChannel(node);
    this.handleError = () => Promise.resolve();
  }

  /** Makes one append call. Every outcome settles the promise, errors during the setup of the call included. */
  append(messages: readonly streamMessages.AppendReq[], options: CallOptions): Promise<streamMessages.AppendResp> {
    return this.execute(
      streams.StreamsClient,
      'append',
      (client) =>
        new Promise((resolve, reject) => {
          const answered = (error: ServiceError | null, answer: streamMessages.AppendResp) =>
            error === null ? resolve(answer) : reject(convertToCommandError(error));
          const call = client.append(...this.callArguments(options), answered);
          call.on('error', reject);
          for (const message of messages) call.write(message);
          call.end();
        }),
    );
  }

  /** Returns the live nodes of the cluster, as this node knows them. */
  readMembers(options: CallOptions): Promise<ClusterMember[]> {
    return this.execute(
      gossip.GossipClient,
      'gossip',
      (client) =>
        new Promise((resolve, reject) => {
          client.read(
            new shared.Empty(),
            ...this.callArguments(options),
            (error: ServiceError | null, info: gossipMessages.ClusterInfo) =>
              error === null ? resolve(parseMembers(info)) : reject(convertToCommandError(error)),
          );
        }),
    );
  }

  /** Closes the connection; running calls fail. */
  closeChannel(): void {
    this.isClosed = true;
    // Closing a session while its last stream ends makes Node.js loop forever and keeps the process alive.
    const { channel } = this;
    if (channel !== null) setTimeout(() => channel.close(), CLOSE_DELAY_MS);
  }

  private openChannel({ address, port }: Node): Channel {
    if (this.isClosed) throw new Error('No connection established: the client is closed');
    const { keepAliveIntervalMs, keepAliveTimeoutMs } = this.options;
    return (this.channel ??= new Channel(`${address}:${port}`, this.createChannelCredentials(), {
      'grpc.keepalive_time_ms': toMilliseconds(keepAliveIntervalMs),
      'grpc.keepalive_timeout_ms': toMilliseconds(keepAliveTimeoutMs),
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      // Without this, channels to the same node share a connection, and a new channel would hang like the old one.
      'grpc.use_local_subchannel_pool': 1,
    }));
  }

  private createChannelCredentials() {
    const { isInsecure, authority, key, certificate } = this.options;
    return isInsecure ? channelCredentials.createInsecure() : channelCredentials.createSsl(authority, key, certificate);
  }
}

/** Converts an interval; -1 disables it, as in the client library. */
function toMilliseconds(given: number | null): number {
  if (given === null) return KEEP_ALIVE_MS;
  return given < 0 ? Number.MAX_VALUE : given;
}

function parseMembers(info: gossipMessages.ClusterInfo): ClusterMember[] {
  return info.getMembersList().flatMap((member) => {
    const endpoint = member.getHttpEndPoint();
    if (endpoint === undefined || !member.getIsAlive()) return [];
    const isLeader = member.getState() === gossipMessages.MemberInfo.VNodeState.LEADER;
    return [{ node: { address: endpoint.getAddress(), port: endpoint.getPort() }, isLeader }];
  });
}
