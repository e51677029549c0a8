// A server in a separate process, so that its CPU time is not counted as the client's.
import { EventStoreDbServer } from '../support/eventstoredb/server.ts';

const server = await EventStoreDbServer.start();
console.log(`ready ${server.connection}`);
process.on('SIGTERM', () => {
  server.stop();
  process.exit();
});
