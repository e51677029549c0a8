/** A row of the catalogue; the category is the first word of the id. */
interface Row {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly sent: boolean;
}

export const CATALOGUE: readonly Row[] = [
  row(
    'cart.order.completed',
    'An order was completed',
    'A checkout succeeded. The order carries the metadata of its cart, and the subscription that each subscription line began.',
    'sent',
  ),
  row('payment.sale.succeeded', 'A payment succeeded', 'The buyer of an order has paid.', 'sent'),
  row('payment.sale.failed', 'A payment failed', 'The payment of an order was refused.', 'sent'),
  row('payment.refund.succeeded', 'A refund succeeded', 'Money of a payment went back to its buyer.'),
  row('payment.refund.failed', 'A refund failed', 'The payment gateway refused a refund.'),
  row('invoice.issued', 'An invoice was issued', 'An invoice has got its number.', 'sent'),
  row('invoice.paid', 'An invoice was paid', 'What an invoice asks for has been paid.', 'sent'),
  row('invoice.voided', 'An invoice was voided', 'An invoice no longer asks for anything; its number stays taken.'),
  row('product.approved', 'A product was approved', 'A reviewer approved the product: it can be bought.', 'sent'),
  row('product.denied', 'A product was denied', 'A reviewer denied the product, or the changes made to it.', 'sent'),
  row(
    'product.review_requested',
    'A product waits for review',
    'A product was created, or changed so that it has to be reviewed again.',
    'sent',
  ),
  row('offer.sent', 'An offer was sent', 'The buyer named in an offer has been sent it.'),
  row('offer.accepted', 'An offer was accepted', 'The buyer has bought what was offered.'),
  row('offer.cancelled', 'An offer was cancelled', 'The seller has taken an offer back.'),
  row('offer.expired', 'An offer expired', 'An offer was not accepted in time.'),
  row('subscription.created', 'A subscription began', 'A completed order has begun a subscription.', 'sent'),
  row('subscription.renewed', 'A subscription was renewed', 'Another period of a subscription has begun.'),
  row('subscription.past_due', 'A subscription is past due', 'The payment for a renewal failed.'),
  row('subscription.price_changed', 'A subscription has a new price', 'A renewal has billed the new price.'),
  row(
    'subscription.plan_changed',
    'A subscription has a new plan',
    'A renewal has billed the new plan. `old_plan` is null when no recorded fact names it.',
  ),
  row('subscription.change_scheduled', 'A change is waiting', 'A new price or plan waits for the next renewal.'),
  row('subscription.change_superseded', 'A waiting change was replaced', 'Another change took the place of one that was waiting.'),
  row(
    'subscription.change_failed',
    'A waiting change failed',
    'A change could not be applied at the renewal; the current terms were billed.',
  ),
  row('subscription.paused', 'A subscription was paused', 'Nothing is billed until it is resumed.'),
  row('subscription.resumed', 'A subscription was resumed', 'A paused subscription is billed again.'),
  row('subscription.cancellation_scheduled', 'A cancellation is waiting', 'A subscription will end with the period that is paid.'),
  row('subscription.cancellation_revoked', 'A cancellation was taken back', 'A subscription that was to end goes on.'),
  row('subscription.cancelled', 'A subscription ended', 'A subscription is over, and nothing more is billed.'),
  row('community.created', 'A community was created', 'A business has a new community.', 'sent'),
  row('community.member.joined', 'A member joined', 'Somebody became a member of a community.'),
  row('community.member.imported', 'A member was imported', 'A member came with an import.'),
  row('community.member.expert_badge_assigned', 'A member became an expert', 'A member was given the expert badge.'),
  row('community.post.created', 'A post was created', 'A member posted in a community.', 'sent'),
  row('community.post.deleted', 'A post was deleted', 'A post is no longer shown.'),
  row('community.message.deleted', 'A message was deleted', 'A message is no longer shown.'),
  row('community.channel.deleted', 'A channel was deleted', 'A channel is no longer shown.'),
  row('community.points.awarded', 'Points were awarded', 'A member was credited with points.', 'sent'),
  row('community.points.reversed', 'Points were reversed', 'An award of points was taken back.'),
  row('community.challenge.updated', 'A challenge was changed', 'What a challenge asks for, offers or lasts has changed.'),
  row('community.challenge.cancelled', 'A challenge was cancelled', 'A challenge ends without a result.'),
  row('community.challenge.completed', 'A challenge was completed', 'A member has reached the goal of a challenge.'),
  row('community.library_resource.downloaded', 'A resource was downloaded', 'A member downloaded a resource of the library.'),
  row('community.onboarding_task.completed', 'An onboarding task was completed', 'A member has completed a task of the onboarding.'),
  row('community.invite.declined', 'An invite was declined', 'The invitee does not want to join.'),
  row('community.invite.accepted', 'An invite was accepted', 'The invitee has joined.'),
  row('webhook.test', 'A test event', 'Sent to one endpoint on request. Nobody can subscribe to it.', 'sent'),
  row(
    'webhook.endpoint.warning',
    'An endpoint keeps failing',
    'Deliveries to an endpoint have failed for a day, for three days, or have been refused since its secret was rotated.',
    'sent',
  ),
  row('webhook.endpoint.disabled', 'An endpoint was disabled', 'An endpoint failed for so long that the service disabled it.', 'sent'),
];

function row(id: string, summary: string, description: string, sent?: 'sent'): Row {
  return { id, summary, description, sent: sent === 'sent' };
}
