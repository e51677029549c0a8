// The service loads this module first. It writes the address of every connection attempt of the process into a file, as
// Node reports it.
import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const { REBINDING_DIALLED: dialledFile } = process.env;

if (isMainThread) Socket.prototype.connect = observed(Socket.prototype.connect);

function observed(connect) {
  return function (...args) {
    this.on('connectionAttempt', (address) => appendFileSync(dialledFile, `${address}\n`));
    return connect.apply(this, args);
  };
}
