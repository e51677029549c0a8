import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Rejection } from '../kernel/rejection.js';
import { KnownCredentials } from './known-credentials.js';
import { addressOf, RateLimit } from './rate-limit.js';
import { refusalOf } from './refusals.js';

/** Everything outside is public. */
const API = /^\/v1(\/|$)/;

/** What is decided before a body is read, or a credential is looked up. */
@Injectable()
export class Arrivals {
  constructor(
    private readonly rateLimit: RateLimit,
    private readonly known: KnownCredentials,
  ) {}

  /** A request for what is not there counts against its address. */
  refuseLost(refusal: Rejection, request: FastifyRequest, reply: FastifyReply): Rejection {
    return refusalBy(() => this.rateLimit.count(addressOf(request), reply)) ?? refusal;
  }

  /** An address that has sent too many requests without a good credential cannot send another unknown one. */
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
