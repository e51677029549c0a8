import { newUuid } from '../../../src/kernel/ids.js';
import { Cluster } from '../eventstoredb/cluster/cluster.js';
import { QUICK_TIMES, REAL_TIMES } from '../eventstoredb/cluster/times.js';
import { EventStoreDbServer, toConnectionString } from '../eventstoredb/server.js';
import { MongoJava } from '../mongo-java/mongo-java.js';
import type { Environment } from '../service-process.js';
import { writeKeys } from './external-stores.js';

/** A log on a cluster of three nodes, and documents on the MongoDB of the run or on a separate one. */
export class ClusterStores {
  private constructor(
    readonly environment: Environment,
    /** The environment of a process that reads the committed events even while nodes are down. */
    readonly inspectorEnvironment: Environment,
    readonly cluster: Cluster,
    private readonly witness: EventStoreDbServer,
    private readonly mongo: MongoJava | null,
  ) {}

  /**
   * Opens the stores. With `FAULT_TIMES=real` elections take as long as on a real cluster. @param folder of the session
   * keys
   */
  static async open(folder: string): Promise<ClusterStores> {
    const url = process.env.TEST_RUN_MONGODB_URL;
    const mongo = url === undefined ? await MongoJava.start() : null;
    const cluster = await Cluster.start(process.env.FAULT_TIMES === 'real' ? REAL_TIMES : QUICK_TIMES);
    const witness = await EventStoreDbServer.start({ log: cluster.committed });
    const database = new URL(mongo?.url ?? url!);
    database.pathname = `service-${newUuid()}`;
    const stores = { EVENT_STORE: cluster.connection, MONGODB_URL: `${String(database)}?directConnection=true` };
    const besides = { EVENT_STORE: toConnectionString(witness.port) };
    return new ClusterStores({ ...stores, ...(await writeKeys(folder)) }, besides, cluster, witness, mongo);
  }

  async close(): Promise<void> {
    this.cluster.close();
    this.witness.stop();
    await this.mongo?.stop();
  }
}
