// A receiver in a separate process: it responds with 204 at once and records the time of each request. GET returns the
// records, DELETE clears them.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Arrival } from './arrivals.ts';
import { READ_PATH } from './arrivals.ts';

let arrivals: Arrival[] = [];

const server = createServer((request, response) => {
  if (request.method === 'GET') return sendArrivals(request, response);
  if (request.method === 'DELETE') arrivals = [];
  recordArrival(request, () => response.writeHead(204).end());
});
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on('SIGTERM', () => process.exit());

function sendArrivals({ url }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(url === '/count' ? arrivals.length : arrivals));
}

function recordArrival(request: IncomingMessage, done: () => void): void {
  const { method, url } = request;
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now();
    if (method === 'POST') arrivals.push(url === READ_PATH ? { at, body: Buffer.concat(chunks).toString() } : { at });
    done();
  });
}
