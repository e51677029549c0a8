import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../../kernel/authenticator.js';
import { GatewayEvents } from '../../kernel/gateway-events.js';
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
    private readonly gatewayEvents: GatewayEvents,
  ) {}

  /** Counts a request without a route against its address. Returns `rate_limited`, or the given rejection. */
  checkUnknownRoute(refusal: Rejection, request: FastifyRequest, reply: FastifyReply): Rejection {
    return catchRejection(() => this.rateLimit.count(toAddressKey(request), reply)) ?? refusal;
  }

  /**
   * Rejects a request without a credential, with what cannot be a credential of this service, and an unknown credential
   * from an address that has reached its limit; events of payment gateways in the same way, by their signatures.
   */
  checkCredential(request: FastifyRequest, reply: FastifyReply): Rejection | null {
    const { headers } = request;
    const { authorization } = headers;
    const path = request.routeOptions.url ?? '';
    if (!API_PATH.test(path)) return null;
    return catchRejection(() => {
      if (isGateway(path)) return this.checkForm(() => this.gatewayEvents.assertForm(headers), request, reply);
      if (authorization === undefined) {
        this.rateLimit.count(toAddressKey(request), reply);
        throw new Rejection('authentication_required', 'Send a credential: Authorization: Bearer <token>.');
      }
      if (!this.known.has(authorization))
        this.checkForm(() => this.authenticator.assertForm(authorization), request, reply);
    });
  }

  /** Counts a request that is rejected by its form against its address. */
  private checkForm(assertForm: () => void, request: FastifyRequest, reply: FastifyReply): void {
    const key = toAddressKey(request);
    this.rateLimit.assertAvailable(key, reply);
    try {
      assertForm();
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
