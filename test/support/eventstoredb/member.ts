import type { AppendOutcome, DatabaseLog, ProposedEvent } from './log.ts';
import { createNotLeaderError, type GossipedMember, NodeState } from './messages.ts';

/** The node of a server. It reports an error by throwing a `GrpcError` or by a rejected promise. */
export interface Member {
  readonly log: DatabaseLog;
  /** Resolves at once on a running node; on a paused node, after the node continues. */
  waitWhilePaused(): Promise<void>;
  /** @throws GrpcError when another node must be asked, or no node can serve the call */
  checkRole(requiresLeader: boolean): void;
  append(
    stream: string,
    expected: number | null,
    proposed: readonly ProposedEvent[],
  ): AppendOutcome | Promise<AppendOutcome>;
  /** Returns the cluster members as this node knows them. */
  gossip(): Promise<readonly GossipedMember[]>;
}

/** The only node of its cluster, or a follower that redirects clients to the leader. */
export class SingleNode implements Member {
  /** The port of the leader when this node is a follower. */
  leader: number | null = null;
  readonly log: DatabaseLog;
  private readonly port: () => number;

  constructor(log: DatabaseLog, port: () => number) {
    this.log = log;
    this.port = port;
  }

  waitWhilePaused(): Promise<void> {
    return Promise.resolve();
  }

  checkRole(requiresLeader: boolean): void {
    if (requiresLeader && this.leader !== null) throw createNotLeaderError(this.leader);
  }

  append(stream: string, expected: number | null, proposed: readonly ProposedEvent[]): AppendOutcome {
    return this.log.append(stream, expected, proposed);
  }

  gossip(): Promise<readonly GossipedMember[]> {
    return Promise.resolve([{ port: this.port(), state: NodeState.LEADER, isAlive: true }]);
  }
}
