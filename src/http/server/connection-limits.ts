import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Config } from '../../config/config.js';
import type { Rejection } from '../../kernel/rejection.js';
import { KnownCredentials } from '../auth/known-credentials.js';
import { createRejection } from '../problems/rejection-mapping.js';
import { destroySoon } from './close-soon.js';
import { toAddressKey } from './rate-limit.js';

/** An idle connection whose last request had no valid credential is closed after this time. */
const ANONYMOUS_KEEP_ALIVE_MS = 5_000;
const ANONYMOUS_KEEP_ALIVE = `timeout=${ANONYMOUS_KEEP_ALIVE_MS / 1_000}`;

/**
 * Limits the open connections of this process, and those of one address. A trusted proxy may open any number: its
 * requests count as connections of the address that it forwards, until they end.
 */
@Injectable()
export class ConnectionLimits {
  private readonly total: number;
  private readonly perAddress: number;
  private readonly trustedProxies: readonly ReturnType<typeof ipaddr.parseCIDR>[];
  private readonly counts = new Map<string, number>();
  private open = 0;

  constructor(
    { connectionLimit, addressConnectionLimit, trustedProxies }: Config,
    private readonly known: KnownCredentials,
  ) {
    this.total = connectionLimit;
    this.perAddress = addressConnectionLimit;
    this.trustedProxies = trustedProxies.map((block) => ipaddr.parseCIDR(block));
  }

  register(server: FastifyInstance): void {
    const http: Server = server.server;
    http.maxConnections = this.total;
    http.on('connection', (socket) => this.accept(socket));
    server.addHook('onRequest', (request, reply, done) => {
      // Node would announce its own, longer time, and a client would use a closed connection.
      if (!this.hasKnownCredential(request)) void reply.header('keep-alive', ANONYMOUS_KEEP_ALIVE);
      done();
    });
    server.addHook('onResponse', (request, _, done) => {
      this.shortenKeepAlive(request);
      done();
    });
  }

  /** Counts a forwarded request until it ends. Returns `rate_limited` when its address has too many open requests. */
  countForwarded(request: FastifyRequest, reply: FastifyReply): Rejection | null {
    const { socket } = request.raw;
    if (!this.isTrustedProxy(socket.remoteAddress)) return null;
    const key = toAddressKey(request);
    if (this.countOf(key) >= this.perAddress) {
      void reply.header('retry-after', 1);
      return createRejection('rate_limited');
    }
    this.count(key, 1);
    reply.raw.once('close', () => this.count(key, -1));
    return null;
  }

  /** Returns the used share as text. @throws Error when no connection is left */
  describeUsage(): string {
    const text = `${this.open} of ${this.total} connections are open`;
    if (this.open >= this.total) throw new Error(`${text} (CONNECTION_LIMIT)`);
    return text;
  }

  private accept(socket: Socket): void {
    this.open += 1;
    socket.once('close', () => (this.open -= 1));
    if (this.isTrustedProxy(socket.remoteAddress)) return;
    const key = toAddressKey({ ip: socket.remoteAddress ?? '::', socket });
    if (this.countOf(key) >= this.perAddress) return void socket.destroy();
    this.count(key, 1);
    socket.once('close', () => this.count(key, -1));
  }

  private shortenKeepAlive(request: FastifyRequest): void {
    const { raw } = request;
    const { socket } = raw;
    // The response was sent before the body arrived. A client that sends it slowly would hold the connection.
    if (!raw.complete) destroySoon(socket, () => !raw.complete);
    if (!this.hasKnownCredential(request)) socket.setTimeout(ANONYMOUS_KEEP_ALIVE_MS);
  }

  private hasKnownCredential({ headers: { authorization } }: FastifyRequest): boolean {
    return authorization !== undefined && this.known.has(authorization);
  }

  private isTrustedProxy(address: string | undefined): boolean {
    if (this.trustedProxies.length === 0 || address === undefined) return false;
    const parsed = ipaddr.process(address);
    return this.trustedProxies.some((block) => block[0].kind() === parsed.kind() && parsed.match(block));
  }

  private countOf(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  private count(key: string, change: 1 | -1): void {
    const next = this.countOf(key) + change;
    if (next === 0) this.counts.delete(key);
    else this.counts.set(key, next);
  }
}
