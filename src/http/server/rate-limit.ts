import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { Rejection } from '../../kernel/rejection.js';
import { type RequestRate, type TakeResult, TokenBuckets } from './token-buckets.js';

/** An owner of one IPv6 address usually owns all addresses that share its first 64 bits. */
const NETWORK_PREFIX_PARTS = 4;

/** Limits the request rate of each key in this process. The windows of @fastify/rate-limit do not support bursts. */
@Injectable()
export class RateLimit {
  private readonly rate: RequestRate;
  private readonly buckets: TokenBuckets;

  constructor({ rateLimit: { perSecond, burst } }: Config, clock: Clock) {
    this.rate = { perSecond, burst: Math.max(1, burst) };
    this.buckets = new TokenBuckets(this.rate, clock);
  }

  /** Counts a request and sets the RateLimit headers of its response. @throws Rejection `rate_limited` */
  count(key: string, reply: FastifyReply): void {
    if (this.rate.perSecond > 0) this.applyResult(this.buckets.take(key), reply);
  }

  /** Checks the limit without counting. @throws Rejection `rate_limited` */
  assertAvailable(key: string, reply: FastifyReply): void {
    if (this.rate.perSecond > 0) this.applyResult(this.buckets.peek(key), reply);
  }

  /** Undoes one count. */
  refund(key: string): void {
    if (this.rate.perSecond > 0) this.buckets.refund(key);
  }

  private applyResult({ granted, remaining, nextInSeconds, fullInSeconds }: TakeResult, reply: FastifyReply): void {
    const { perSecond, burst } = this.rate;
    void reply.headers({
      'ratelimit-limit': burst,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': fullInSeconds,
      'ratelimit-policy': `${perSecond};w=1;burst=${burst}`,
    });
    if (granted) return;
    void reply.header('retry-after', nextInSeconds);
    throw new Rejection('rate_limited', `The limit is ${perSecond} requests per second, with bursts of ${burst}.`);
  }
}

/**
 * Returns the key that counts requests without a valid credential. An invalid forwarded address counts as the address
 * of the proxy.
 */
export function toAddressKey({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const address = ipaddr.process(ipaddr.isValid(ip) ? ip : (socket.remoteAddress ?? '::'));
  return `address:${address instanceof ipaddr.IPv6 ? address.parts.slice(0, NETWORK_PREFIX_PARTS).join(':') : address.toString()}`;
}
