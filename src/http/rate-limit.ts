import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Config } from '../config.js';
import { Clock } from '../kernel/clock.js';
import { Rejection } from '../kernel/rejection.js';
import { TokenBuckets, type Rate, type Taken } from './token-buckets.js';

/** Whoever has one address of an IPv6 network has all that share its first 64 bits. */
const NETWORK_PARTS = 4;

/** How often each may ask, in this process. Buckets of our own, since the windows of @fastify/rate-limit know no burst. */
@Injectable()
export class RateLimit {
  private readonly rate: Rate;
  private readonly buckets: TokenBuckets;

  constructor({ rateLimit: { perSecond, burst } }: Config, clock: Clock) {
    this.rate = { perSecond, burst: Math.max(1, burst) };
    this.buckets = new TokenBuckets(this.rate, clock);
  }

  /** Counts a request, and says in its answer what is left. @throws Rejection `rate_limited` */
  count(who: string, reply: FastifyReply): void {
    if (this.rate.perSecond > 0) this.judge(this.buckets.take(who), reply);
  }

  /** Counts nothing. @throws Rejection `rate_limited` where counting would */
  expectRoom(who: string, reply: FastifyReply): void {
    if (this.rate.perSecond > 0) this.judge(this.buckets.look(who), reply);
  }

  /** A request that was counted does not count after all. */
  giveBack(who: string): void {
    if (this.rate.perSecond > 0) this.buckets.giveBack(who);
  }

  private judge({ granted, left, nextInSeconds, fullInSeconds }: Taken, reply: FastifyReply): void {
    const { perSecond, burst } = this.rate;
    void reply.headers({
      'ratelimit-limit': burst,
      'ratelimit-remaining': left,
      'ratelimit-reset': fullInSeconds,
      'ratelimit-policy': `${perSecond};w=1;burst=${burst}`,
    });
    if (granted) return;
    void reply.header('retry-after', nextInSeconds);
    throw new Rejection('rate_limited', `Requests are limited to ${perSecond} a second, and ${burst} at once.`);
  }
}

/** By whom a request counts that has no good credential. What a proxy says is no address counts as the proxy's. */
export function addressOf({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const address = ipaddr.process(ipaddr.isValid(ip) ? ip : (socket.remoteAddress ?? '::'));
  return `address:${address instanceof ipaddr.IPv6 ? address.parts.slice(0, NETWORK_PARTS).join(':') : address.toString()}`;
}
