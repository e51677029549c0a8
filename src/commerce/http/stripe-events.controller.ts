import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { RawBody } from '../../http/server/ingress.js';
import { StripeEvents } from '../gateways/stripe/stripe-events.js';

@Controller('v1/gateways/stripe/events')
export class StripeEventsController {
  constructor(private readonly events: StripeEvents) {}

  /** The public document omits this route, because only Stripe calls it, with a signature of the raw body. */
  @Post()
  @HttpCode(200)
  async receive(@Body() body?: RawBody, @Headers('stripe-signature') signature?: string) {
    await this.events.receive(body?.bytes ?? Buffer.alloc(0), signature ?? '');
    return { data: { received: true } };
  }
}
