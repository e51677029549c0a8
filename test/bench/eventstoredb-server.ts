// A server for the bench in a process of its own, so that what it costs is not counted as the client's.
import { EventStoreDbServer } from '../support/eventstoredb/server.ts';

const server = await EventStoreDbServer.start();
console.log(`ready ${server.connection}`);
process.on('SIGTERM', () => {
  server.stop();
  process.exit();
});
