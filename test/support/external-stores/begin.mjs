import { MongoJava } from '../mongo-java/mongo-java.ts';

/** Starts one MongoDB for the whole run; each service uses its own database on it. */
export default async function begin() {
  process.env.TEST_STORES = 'real';
  globalThis.mongo = await MongoJava.start();
  process.env.TEST_RUN_MONGODB_URL = globalThis.mongo.url;
}
