import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Rejection } from '../kernel/rejection.js';
import { KnownCredentials } from './known-credentials.js';
import { addressOf, RateLimit } from './rate-limit.js';
import { refusalOf } from './refusals.js';

/** All other paths are public. */
const API = /^\/v1(\/|$)/;

/** Checks that need neither the body nor a lookup of the credential. */
@Injectable()
export class Arrivals {
  constructor(
    private readonly rateLimit: RateLimit,
    private readonly known: KnownCredentials,
  ) {}

  /** Counts a request without a route against its address. Returns `rate_limited`, or the given rejection. */
  refuseLost(refusal: Rejection, request: FastifyRequest, reply: FastifyReply): Rejection {
    return refusalBy(() => this.rateLimit.count(addressOf(request), reply)) ?? refusal;
  }

  /** Rejects a request without a credential, and an unknown credential from an address that has reached its limit. */
  refuse(request: FastifyRequest, reply: FastifyReply): Rejection | null {
    const { authorization } = request.headers;
    if (!API.test(request.routeOptions.url ?? '')) return null;
    return refusalBy(() => {
      if (authorization === undefined) {
        this.rateLimit.count(addressOf(request), reply);
        throw new Rejection('authentication_required', 'Send a credential: Authorization: Bearer <token>.');
      }
      if (!this.known.has(authorization)) this.rateLimit.expectRoom(addressOf(request), reply);
    });
  }
}

function refusalBy(judge: () => void): Rejection | null {
  try {
    judge();
    return null;
  } catch (error) {
    return refusalOf(error);
  }
}
