import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { lastValueFrom, throwError } from 'rxjs';
import { IdempotencyInterceptor } from '../../../src/http/idempotency/idempotency.interceptor.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import type { Idempotency } from '../../../src/kernel/idempotency.js';
import { ProcessId } from '../../../src/kernel/process-id.js';
import { Rejection } from '../../../src/kernel/rejection.js';
import { Folder } from '../../stores/support/folder.js';
import { ManualClock } from '../../support/clock.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';

const unknown = new StoreUnavailable('no answer', true);
const concurrent = new Rejection('concurrent_update', 'The resource was changed at the same time. Try again.');
const refused = new Rejection('validation_failed', 'not found', 'plan_id');

class Products {
  create(this: void): void {}
}

/** A log that cannot confirm its state, as without a majority of its nodes. */
class UnconfirmedStore extends MemoryEventStore {
  override confirmPosition(): Promise<string> {
    return Promise.reject(new StoreUnavailable('no majority', false));
  }
}

describe('An idempotency key after a first request with an unknown outcome', () => {
  const folder = Folder.each();
  const log = new MemoryEventStore(new ManualClock());

  it('is released by a rejection that the log confirms', async () => {
    const { idempotency } = await folder.open();
    expect((await repeatRequest(idempotency, log, [unknown, refused])).commands).toEqual(['first', 'first', 'another']);
  });

  it('is kept when the second request ends in a conflict, which the append of the first may have caused', async () => {
    const { idempotency } = await folder.open();
    expect((await repeatRequest(idempotency, log, [unknown, concurrent])).commands).toEqual([
      'first',
      'first',
      'first',
    ]);
  });

  it('is kept when the log cannot confirm the rejection, and the caller does not get the rejection', async () => {
    const { idempotency } = await folder.open();
    const unconfirmed = new UnconfirmedStore(new ManualClock());
    const { commands, responses } = await repeatRequest(idempotency, unconfirmed, [unknown, refused]);
    expect(commands).toEqual(['first', 'first', 'first']);
    expect(responses[1]).toBeInstanceOf(StoreUnavailable);
  });

  it('is released by the rejection of a first request, which appended nothing', async () => {
    const { idempotency } = await folder.open();
    expect((await repeatRequest(idempotency, log, [concurrent])).commands).toEqual(['first', 'another']);
  });
});

/** Sends a request repeatedly with these outcomes. Returns the command of each run, and the errors for the caller. */
async function repeatRequest(
  idempotency: Idempotency,
  store: MemoryEventStore,
  ends: readonly Error[],
): Promise<{ readonly commands: string[]; readonly responses: unknown[] }> {
  const interceptor = new IdempotencyInterceptor(new Reflector(), idempotency, new ProcessId('process 1'), store);
  const seen: string[] = [];
  const responses: unknown[] = [];
  for (const end of [...ends, unknown]) {
    const request = createApiRequest();
    const next: CallHandler = {
      handle: () => {
        seen.push(request.context.commandId);
        return throwError(() => end);
      },
    };
    const execution = {
      switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({ statusCode: 201 }) }),
      getHandler: () => Products.prototype.create,
      getClass: () => Products,
    };
    responses.push(
      await lastValueFrom(interceptor.intercept(execution as unknown as ExecutionContext, next)).catch(
        (error: unknown) => error,
      ),
    );
  }
  return { commands: seen.map((id) => (id === seen[0] ? 'first' : 'another')), responses: responses.slice(0, -1) };
}

function createApiRequest() {
  const caller = {
    kind: 'key',
    business: 'bus_1',
    mode: 'live',
    user: null,
    cart: null,
    actor: { type: 'api_key', id: 'key_1' },
  };
  return {
    method: 'POST',
    url: '/v1/commerce/products',
    routeOptions: { url: '/v1/commerce/products' },
    raw: { rawHeaders: ['Idempotency-Key', 'one'] },
    query: {},
    body: { name: 'A course' },
    context: { caller, commandId: '', at: 0, progress: new ConsistencyContext() },
  };
}
