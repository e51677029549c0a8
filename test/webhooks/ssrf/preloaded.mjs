// Loaded into the service before anything else. Every address that any socket of the process begins to connect to is written down, by Node's
// own account of it.
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
