import { MongoJava } from '../mongo-java/mongo-java.ts';

/** One MongoDB for the whole run; each service has a database of its own on it. */
export default async function begin() {
  process.env.TEST_STORES = 'real';
  globalThis.mongo = await MongoJava.start();
  process.env.TEST_RUN_MONGODB_URL = globalThis.mongo.url;
}
