import type { DatabaseLog, Proposed, Written } from './log.ts';
import { NodeState, notLeader, type GossipedMember } from './messages.ts';

/** What a server answers its clients from. A refusal is thrown, or rejects. */
export interface Member {
  readonly log: DatabaseLog;
  /** Resolves while the node runs: a node that is paused does nothing until it is continued. */
  awake(): Promise<void>;
  /** @throws Refusal when another node is to be asked, or none can answer */
  admit(requiresLeader: boolean): void;
  append(stream: string, expected: number | null, proposed: readonly Proposed[]): Written | Promise<Written>;
  /** The cluster as this node knows it. */
  gossip(): Promise<readonly GossipedMember[]>;
}

/** The only node of its cluster, or one that sends whoever needs the leader elsewhere. */
export class SingleNode implements Member {
  /** The port of the leader, when this is not the leader. */
  leader: number | null = null;
  readonly log: DatabaseLog;
  private readonly port: () => number;

  constructor(log: DatabaseLog, port: () => number) {
    this.log = log;
    this.port = port;
  }

  awake(): Promise<void> {
    return Promise.resolve();
  }

  admit(requiresLeader: boolean): void {
    if (requiresLeader && this.leader !== null) throw notLeader(this.leader);
  }

  append(stream: string, expected: number | null, proposed: readonly Proposed[]): Written {
    return this.log.append(stream, expected, proposed);
  }

  gossip(): Promise<readonly GossipedMember[]> {
    return Promise.resolve([{ port: this.port(), state: NodeState.LEADER, isAlive: true }]);
  }
}
