import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Config } from '../config.js';
import { Clock } from '../kernel/clock.js';
import { Rejection } from '../kernel/rejection.js';
import { TokenBuckets, type Rate } from './token-buckets.js';

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
    const { perSecond, burst } = this.rate;
    if (perSecond === 0) return;
    const { granted, left, nextInSeconds, fullInSeconds } = this.buckets.take(who);
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

/** By whom a request counts that shows no credential, or none that holds. */
export function addressOf(ip: string): string {
  const address = ipaddr.process(ip);
  return `address:${address instanceof ipaddr.IPv6 ? address.parts.slice(0, NETWORK_PARTS).join(':') : address.toString()}`;
}
