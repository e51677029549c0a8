// A cluster for the bench in a process of its own, so that what it costs is not counted as the client's.
import { Cluster } from '../support/eventstoredb/cluster/cluster.ts';

const cluster = await Cluster.start();
console.log(`ready ${cluster.connection}#${cluster.leader!.connection}`);
process.on('SIGTERM', () => {
  cluster.close();
  process.exit();
});
