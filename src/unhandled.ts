/** Packages that talk to the stores. Some of their errors are thrown beside the promise that somebody waits for. */
const STORE_CLIENTS = ['@eventstore/db-client', '@grpc/grpc-js', 'mongodb'];
const MODULES = '/node_modules/';
/** A line of a stack that names a file, and the file. */
const FRAME = /^ +at (?:.*\()?(?:file:\/\/)?([^()]+?):\d+:\d+\)?$/;

/** What a store's client leaves unhandled is told and survived: its calls fail by themselves. Anything else ends the process, as by default. */
export function surviveStoreClients(tell: (message: string) => void): void {
  process.on('unhandledRejection', (reason) => {
    if (!isOfStoreClient(reason)) throw reason;
    tell(`A store's client left an error unhandled: ${reason.stack}`);
  });
}

/** Whether nothing but clients of stores, and Node itself, was at work when the error was made. */
export function isOfStoreClient(reason: unknown): reason is Error {
  if (!(reason instanceof Error)) return false;
  const files = (reason.stack ?? '').split('\n').flatMap((line) => FRAME.exec(line)?.[1] ?? []);
  const outside = files.filter((file) => !file.startsWith('node:'));
  return outside.length > 0 && outside.every(isStoreClientFile);
}

function isStoreClientFile(file: string): boolean {
  const path = file.replaceAll('\\', '/');
  const at = path.lastIndexOf(MODULES);
  return at >= 0 && STORE_CLIENTS.some((name) => path.startsWith(`${name}/`, at + MODULES.length));
}
