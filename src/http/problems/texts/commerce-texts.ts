import type { ProblemText } from './problem-text.js';

export const COMMERCE_TEXTS = {
  payment_failed: {
    meaning: 'The payment method was declined. The item in `errors` has the reason as its code. Nothing was charged.',
    action: 'Ask the buyer for another payment method.',
    repeat: 'corrected',
  },
  payment_method_invalid: {
    meaning: 'The payment gateway does not know the token of the payment method.',
    action:
      'Create a new token with the payment gateway. In test mode, use a test token such as `tok_ok`: see `/docs/guides/test-payments`.',
    repeat: 'corrected',
  },
  payment_not_refundable: {
    meaning: 'The payment did not succeed, so there is nothing to refund.',
    action: 'Read the payment and its `status`.',
    repeat: 'never',
  },
  payment_already_refunded: {
    meaning: 'The whole amount of the payment is refunded, or refunds of it are on their way.',
    action: 'Read the refunds of the payment. If one of them fails, its amount can be refunded again.',
    repeat: 'never',
  },
  refund_amount_exceeds_refundable: {
    meaning: 'The refund is larger than what remains of the payment. `detail` has the maximum.',
    action: 'Send at most that amount, or omit `amount_cents` to refund all that remains.',
    repeat: 'corrected',
  },
  payment_disputed: {
    meaning:
      'The bank of the buyer has taken the money of the payment, or a part of it, in a dispute that is open or lost. `detail` has what is left for a refund.',
    action:
      'Read the disputes of the payment. Refund at most what is left, or wait: a dispute that you win releases its amount.',
    repeat: 'afterChange',
  },
  dispute_closed: {
    meaning: 'The dispute was closed before with the other outcome.',
    action: 'Read the dispute and its `status`.',
    repeat: 'never',
  },
  refund_declined: {
    meaning: 'The payment gateway declined the refund. `detail` has its reason. No money was moved.',
    action: 'Follow the reason of the gateway, or return the money in another way.',
    repeat: 'afterChange',
  },
  insufficient_seller_balance: {
    meaning: 'The balance of the business does not cover the refund or the payout.',
    action: 'Wait until further sales have raised the balance, or use a smaller amount.',
    repeat: 'afterChange',
  },
  currency_mismatch: {
    meaning: 'The request mixes two currencies: a cart, a plan, a payment and a subscription each have one.',
    action: 'Use the currency of the resource, or omit `currency`.',
    repeat: 'corrected',
  },
  product_not_in_review: {
    meaning: 'The product is not waiting for a review: it was approved or denied before.',
    action: 'Read the product and its `approval_status`. A change of the product can start another review.',
    repeat: 'never',
  },
  product_unavailable: {
    meaning:
      'At its checkout, the cart has a product that can no longer be bought. `errors` names the lines, `block_reason` the first reason.',
    action: 'Remove these lines, or wait for the approval of their products.',
    repeat: 'afterChange',
  },
  not_saleable: {
    meaning:
      'The product cannot be bought. `block_reason` is `pending_approval`, `inactive` or `no_active_plan`. A reviewer approves a product with `POST /v1/commerce/products/{id}/approve`, in test mode too. On your own machine, sign the token of a reviewer with `npm run ops -- tokens sign --sub reviewer --reviewer`, or start the service with `PRODUCT_REVIEW=auto`.',
    action: 'Let a reviewer approve the product, activate it, or add a plan to it: see `/docs/guides/selling`.',
    repeat: 'afterChange',
  },
  plan_not_available: {
    meaning:
      'The plan is archived or belongs to another product; or, for a subscription, it has another currency or kind.',
    action: 'Read the product, and use one of its active plans.',
    repeat: 'corrected',
  },
  offer_not_sendable: {
    meaning: 'The offer is cancelled, or its product cannot be sold.',
    action: 'Make the product saleable, or create a new offer.',
    repeat: 'afterChange',
  },
  offer_not_sent: {
    meaning: 'The offer is a draft: its buyer has not received it.',
    action: 'Send the offer with `POST /v1/commerce/offers/{id}/send`.',
    repeat: 'afterChange',
  },
  offer_already_accepted: {
    meaning: 'The buyer has accepted the offer and bought its content.',
    action: 'Read the order. Create a new offer for another purchase.',
    repeat: 'never',
  },
  offer_expired: {
    meaning: 'The offer was not accepted before its `expires_at`.',
    action: 'Create a new offer.',
    repeat: 'never',
  },
  offer_cancelled: {
    meaning: 'The seller has cancelled the offer.',
    action: 'Create a new offer, or check out without one.',
    repeat: 'never',
  },
  offer_buyer_mismatch: {
    meaning: 'The offer is for another e-mail address than that of the cart or the checkout.',
    action: 'Use the address of the buyer to whom the offer was sent.',
    repeat: 'corrected',
  },
  discount_invalid: {
    meaning: 'No active discount has this code, or the cart has an offer, which has its own price.',
    action: 'Correct the code, or remove it with `discount_code: null`.',
    repeat: 'corrected',
  },
  discount_code_taken: {
    meaning: 'Another active discount of the business has this code.',
    action: 'Choose another code, or delete the other discount.',
    repeat: 'corrected',
  },
  cart_not_open: {
    meaning: 'The cart is checked out or expired, so it cannot be changed.',
    action: 'Create a new cart.',
    repeat: 'never',
  },
  cart_locked: {
    meaning: 'The cart contains an offer, whose line is fixed.',
    action: 'Remove the offer with `offer_id: null`, or leave the line as it is.',
    repeat: 'afterChange',
  },
  cart_empty: {
    meaning: 'A cart without lines cannot be checked out.',
    action: 'Add a line to the cart.',
    repeat: 'afterChange',
  },
  buyer_required: {
    meaning: "The checkout needs the buyer's e-mail address, and neither the cart nor the request has one.",
    action: 'Send `buyer.email`.',
    repeat: 'corrected',
  },
  clock_moves_forward_only: {
    meaning: 'The test clock already shows this time or a later one.',
    action: 'Send a later time. Work that was due in between is then done.',
    repeat: 'corrected',
  },
  buyer_has_active_charges: {
    meaning: 'Subscriptions, installments or unsettled payments may still charge the buyer. `errors` names them.',
    action:
      'Repeat the request with `end_charges=true`, which ends them at once. Wait for a payment that it cannot cancel.',
    repeat: 'corrected',
  },
  installments_ended: {
    meaning: 'The order has no installments, all are paid, or they have ended.',
    action: 'None: no installment is charged any more.',
    repeat: 'never',
  },
  amount_not_supported: {
    meaning:
      'The payment gateway cannot charge this amount in this currency. A currency with three decimals may need a last digit of 0.',
    action: 'Send an amount that is a multiple of the one in `detail`, or another discount.',
    repeat: 'corrected',
  },
  test_clock_advancing: {
    meaning: 'The test clock has not reached the time that an earlier request has set.',
    action: 'Retrieve the test clock until its status is `ready`, then send the request again.',
    repeat: 'later',
  },
  test_clock_too_far: {
    meaning:
      'The test clock can be set to at most 100 years after today, and to a time by which no subscription renews more than 1,000 times.',
    action: 'Send a time that is not after the latest one that `detail` names.',
    repeat: 'corrected',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
