import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../../kernel/authenticator.js';
import { Rejection } from '../../kernel/rejection.js';
import { isGateway } from '../auth/access.js';
import { KnownCredentials } from '../auth/known-credentials.js';
import { toRejection } from '../problems/rejection-mapping.js';
import { RateLimit, toAddressKey } from './rate-limit.js';

/** All other paths are public. */
const API_PATH = /^\/v1(\/|$)/;

/** Checks that need neither the body nor a lookup of the credential. */
@Injectable()
export class IngressChecks {
  constructor(
    private readonly rateLimit: RateLimit,
    private readonly known: KnownCredentials,
    private readonly authenticator: Authenticator,
  ) {}

  /** Counts a request without a route against its address. Returns `rate_limited`, or the given rejection. */
  checkUnknownRoute(refusal: Rejection, request: FastifyRequest, reply: FastifyReply): Rejection {
    return catchRejection(() => this.rateLimit.count(toAddressKey(request), reply)) ?? refusal;
  }

  /**
   * Rejects a request without a credential, with what cannot be a credential of this service, and an unknown credential
   * from an address that has reached its limit.
   */
  checkCredential(request: FastifyRequest, reply: FastifyReply): Rejection | null {
    const { authorization } = request.headers;
    const path = request.routeOptions.url ?? '';
    if (!API_PATH.test(path)) return null;
    return catchRejection(() => {
      if (isGateway(path)) return this.rateLimit.assertAvailable(toAddressKey(request), reply);
      if (authorization === undefined) {
        this.rateLimit.count(toAddressKey(request), reply);
        throw new Rejection('authentication_required', 'Send a credential: Authorization: Bearer <token>.');
      }
      if (!this.known.has(authorization)) this.checkUnknownCredential(authorization, request, reply);
    });
  }

  private checkUnknownCredential(authorization: string, request: FastifyRequest, reply: FastifyReply): void {
    const key = toAddressKey(request);
    this.rateLimit.assertAvailable(key, reply);
    try {
      this.authenticator.assertForm(authorization);
    } catch (error) {
      this.rateLimit.count(key, reply);
      throw error;
    }
  }
}

function catchRejection(check: () => void): Rejection | null {
  try {
    check();
    return null;
  } catch (error) {
    return toRejection(error);
  }
}
