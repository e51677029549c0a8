import { createEvents } from '../../contracts/events.js';
import { eachNodes, type NamingNode } from './named-nodes.js';

const OPTIONS = { deadlineMs: 20_000, query: '&gossipTimeout=60000' };

describe('The search for the leader of a cluster of EventStoreDB', () => {
  const test = eachNodes(3);
  const never = new Promise<never>(() => undefined);
  let nodes: readonly NamingNode[];
  beforeEach(() => {
    nodes = test.current.nodes;
  });

  it('returns the node that most nodes name, although another node names itself first', async () => {
    const [deposed, leader, follower] = nodes as [NamingNode, NamingNode, NamingNode];
    deposed.named = deposed;
    for (const node of [leader, follower]) {
      node.named = leader;
      node.gossipAfter = waitForResponse(deposed);
    }
    await test.current.store(OPTIONS).append('jar-1', 'none', createEvents(1));

    expect(nodes.map(({ log }) => log.all.length)).toEqual([0, 1, 0]);
  });

  it('returns the node that one node names while the others are silent', async () => {
    const [leader, ...silent] = nodes as [NamingNode, NamingNode, NamingNode];
    leader.named = leader;
    for (const node of silent) node.gossipAfter = never;

    expect(await test.current.store(OPTIONS).append('jar-1', 'none', createEvents(1))).toMatchObject({ revision: 0 });
  });

  it('asks again soon when most nodes name no leader and one is silent', async () => {
    const [leader, follower, silent] = nodes as [NamingNode, NamingNode, NamingNode];
    silent.gossipAfter = never;
    const asked = waitForResponse(follower);
    const append = test.current.store(OPTIONS).append('jar-1', 'none', createEvents(1));
    await asked;
    test.current.nameLeader(leader);

    expect(await append).toMatchObject({ revision: 0 });
  }, 15_000);

  /** Resolves after the node has been asked for the leader and has sent its response. */
  function waitForResponse(node: NamingNode): Promise<void> {
    return new Promise((resolve) => {
      const gossip = node.gossip.bind(node);
      node.gossip = async () => {
        const answer = await gossip();
        setTimeout(resolve, 50);
        return answer;
      };
    });
  }
});
