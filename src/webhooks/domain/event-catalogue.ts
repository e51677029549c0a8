/** A row of the catalogue. The first part of the id is the category. */
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
    'A checkout succeeded. The order has the metadata of its cart. Each subscription line names the subscription that it started.',
    'sent',
  ),
  row('payment.sale.succeeded', 'A payment succeeded', 'The buyer paid for an order.', 'sent'),
  row('payment.sale.failed', 'A payment failed', 'The payment of an order was refused.', 'sent'),
  row('payment.refund.succeeded', 'A refund succeeded', 'The buyer got money of a payment back.'),
  row('payment.refund.failed', 'A refund failed', 'The payment gateway refused a refund.'),
  row('invoice.issued', 'An invoice was issued', 'An invoice received its number.', 'sent'),
  row('invoice.paid', 'An invoice was paid', 'The amount of an invoice was paid.', 'sent'),
  row('invoice.voided', 'An invoice was voided', 'An invoice is no longer payable. Its number is not used again.'),
  row('product.approved', 'A product was approved', 'A reviewer approved the product, so buyers can buy it.', 'sent'),
  row('product.denied', 'A product was denied', 'A reviewer denied the product or its changes.', 'sent'),
  row(
    'product.review_requested',
    'A product waits for review',
    'A product was created, or changed in a way that needs another review.',
    'sent',
  ),
  row('offer.sent', 'An offer was sent', 'The offer was sent to its buyer.'),
  row('offer.accepted', 'An offer was accepted', 'The buyer accepted the offer and bought its content.'),
  row('offer.cancelled', 'An offer was cancelled', 'The seller cancelled an offer.'),
  row('offer.expired', 'An offer expired', 'An offer was not accepted in time.'),
  row('subscription.created', 'A subscription was created', 'A completed order started a subscription.', 'sent'),
  row('subscription.renewed', 'A subscription was renewed', 'A new period of a subscription started.'),
  row('subscription.past_due', 'A subscription is past due', 'The payment for a renewal failed.'),
  row('subscription.price_changed', 'A subscription has a new price', 'A renewal billed the new price.'),
  row(
    'subscription.plan_changed',
    'A subscription has a new plan',
    'A renewal billed the new plan. `old_plan` is null when it is unknown.',
  ),
  row('subscription.change_scheduled', 'A change was scheduled', 'A new price or plan applies from the next renewal.'),
  row('subscription.change_superseded', 'A scheduled change was replaced', 'Another change replaced a scheduled one.'),
  row('subscription.change_failed', 'A scheduled change failed', 'The renewal could not apply a change and billed the current terms.'),
  row('subscription.paused', 'A subscription was paused', 'The subscription is not billed until it is resumed.'),
  row('subscription.resumed', 'A subscription was resumed', 'A paused subscription is billed again.'),
  row('subscription.cancellation_scheduled', 'A cancellation was scheduled', 'A subscription will end after its paid period.'),
  row('subscription.cancellation_revoked', 'A cancellation was revoked', 'A subscription continues after its cancellation was revoked.'),
  row('subscription.cancelled', 'A subscription ended', 'A subscription ended and is no longer billed.'),
  row('community.created', 'A community was created', 'A business created a community.', 'sent'),
  row('community.member.joined', 'A member joined', 'A user joined a community.'),
  row('community.member.imported', 'A member was imported', 'An import added a member to a community.'),
  row('community.member.expert_badge_assigned', 'A member became an expert', 'A member received the expert badge.'),
  row('community.post.created', 'A post was created', 'A member created a post in a community.', 'sent'),
  row('community.post.deleted', 'A post was deleted', 'A post was removed from a community.'),
  row('community.message.deleted', 'A message was deleted', 'A message was removed from a channel.'),
  row('community.channel.deleted', 'A channel was deleted', 'A channel was removed from a community.'),
  row('community.points.awarded', 'Points were awarded', 'A member received points.', 'sent'),
  row('community.points.reversed', 'Points were reversed', 'An award of points was reversed.'),
  row('community.challenge.updated', 'A challenge was changed', 'The goal, the reward or the duration of a challenge changed.'),
  row('community.challenge.cancelled', 'A challenge was cancelled', 'A challenge was cancelled and has no result.'),
  row('community.challenge.completed', 'A challenge was completed', 'A member reached the goal of a challenge.'),
  row('community.library_resource.downloaded', 'A resource was downloaded', 'A member downloaded a library resource.'),
  row('community.onboarding_task.completed', 'An onboarding task was completed', 'A member completed an onboarding task.'),
  row('community.invite.declined', 'An invite was declined', 'An invited user declined to join.'),
  row('community.invite.accepted', 'An invite was accepted', 'An invited user joined the community.'),
  row('webhook.test', 'A test event', 'The service sends it to one endpoint on request. Endpoints cannot subscribe to it.', 'sent'),
  row(
    'webhook.endpoint.warning',
    'An endpoint keeps failing',
    'Deliveries to an endpoint failed for one or three days, or its receiver has refused them since the secret was rotated.',
    'sent',
  ),
  row(
    'webhook.endpoint.disabled',
    'An endpoint was disabled',
    'The service disabled an endpoint because its deliveries failed for too long.',
    'sent',
  ),
];

function row(id: string, summary: string, description: string, sent?: 'sent'): Row {
  return { id, summary, description, sent: sent === 'sent' };
}
