import { Injectable } from '@nestjs/common';
import type { Mode } from '../../kernel/event.js';
import { assertChargeable } from '../domain/chargeable.js';
import type { PlanTerms } from '../domain/payment-plan.js';
import { PaymentGateway } from '../payment-gateway.js';

interface Amount {
  readonly amountCents: number;
  readonly currency: string;
  /** The field that names the amount. */
  readonly param: string;
}

/** Refuses amounts at once that the gateway would decline at their charge. */
@Injectable()
export class Amounts {
  constructor(private readonly gateway: PaymentGateway) {}

  /** @throws Rejection amount_not_supported */
  assertChargeable(amounts: readonly Amount[], mode: Mode): void {
    const toCharged = ({ amountCents, currency, param }: Amount) => ({
      amountCents,
      amountStep: this.gateway.getAmountStep(currency, mode),
      param,
    });
    assertChargeable(amounts.map(toCharged));
  }

  /** @param toPath returns the beginning of the path of a plan's fields @throws Rejection amount_not_supported */
  assertPlansChargeable(plans: readonly PlanTerms[], mode: Mode, toPath: (index: number) => string): void {
    const amounts = plans.map(({ amountCents, currency }, i) => ({
      amountCents,
      currency,
      param: `${toPath(i)}amount_cents`,
    }));
    this.assertChargeable(amounts, mode);
  }

  /** Returns the rule of the gateway for a decider. */
  getSteps(mode: Mode): (currency: string) => number {
    return (currency) => this.gateway.getAmountStep(currency, mode);
  }
}
