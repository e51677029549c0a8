// A cluster in a separate process, so that its CPU time is not counted as the client's.
import { Cluster } from '../support/eventstoredb/cluster/cluster.ts';

const cluster = await Cluster.start();
console.log(`ready ${cluster.connection}#${cluster.leader!.connection}`);
process.on('SIGTERM', () => {
  cluster.close();
  process.exit();
});
