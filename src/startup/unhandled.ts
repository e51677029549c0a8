/** The client packages of the stores. Some of their errors do not reject the promise of the call. */
const STORE_CLIENTS = ['@eventstore/db-client', '@grpc/grpc-js', 'mongodb'];
const MODULES = '/node_modules/';
/** Matches a stack line that names a file; captures the file. */
const FRAME = /^ +at (?:.*\()?(?:file:\/\/)?([^()]+?):\d+:\d+\)?$/;

/** Reports an unhandled rejection of a store client and continues. Any other unhandled rejection ends the process. */
export function surviveStoreClients(report: (message: string) => void): void {
  process.on('unhandledRejection', (reason) => {
    if (!isStoreClientError(reason)) throw reason;
    report(`A store client did not handle an error: ${reason.stack}`);
  });
}

/** Returns whether every frame of the stack belongs to a store client or to Node. */
export function isStoreClientError(reason: unknown): reason is Error {
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
