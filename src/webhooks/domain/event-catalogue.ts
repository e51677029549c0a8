/** A row of the catalogue. The first part of the id is the category. */
interface Row {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly sent: boolean;
}

export const CATALOGUE: readonly Row[] = [
  toRow(
    'cart.order.completed',
    'An order was completed',
    'A checkout succeeded. The order has the metadata of its cart. Each subscription line names the subscription that it started.',
    'sent',
  ),
  toRow('payment.sale.succeeded', 'A payment succeeded', 'The buyer paid for an order.', 'sent'),
  toRow('payment.sale.failed', 'A payment failed', 'The payment of an order was refused.', 'sent'),
  toRow('payment.refund.succeeded', 'A refund succeeded', 'The buyer got money of a payment back.'),
  toRow('payment.refund.failed', 'A refund failed', 'The payment gateway refused a refund.'),
  toRow('invoice.issued', 'An invoice was issued', 'An invoice received its number.', 'sent'),
  toRow('invoice.paid', 'An invoice was paid', 'The amount of an invoice was paid.', 'sent'),
  toRow('invoice.voided', 'An invoice was voided', 'An invoice is no longer payable. Its number is not used again.'),
  toRow('product.approved', 'A product was approved', 'A reviewer approved the product, so buyers can buy it.', 'sent'),
  toRow('product.denied', 'A product was denied', 'A reviewer denied the product or its changes.', 'sent'),
  toRow(
    'product.review_requested',
    'A product waits for review',
    'A product was created, or changed in a way that needs another review.',
    'sent',
  ),
  toRow('offer.sent', 'An offer was sent', 'The offer was sent to its buyer.'),
  toRow('offer.accepted', 'An offer was accepted', 'The buyer accepted the offer and bought its content.'),
  toRow('offer.cancelled', 'An offer was cancelled', 'The seller cancelled an offer.'),
  toRow('offer.expired', 'An offer expired', 'An offer was not accepted in time.'),
  toRow('subscription.created', 'A subscription was created', 'A completed order started a subscription.', 'sent'),
  toRow('subscription.renewed', 'A subscription was renewed', 'A new period of a subscription started.'),
  toRow('subscription.past_due', 'A subscription is past due', 'The payment for a renewal failed.'),
  toRow('subscription.price_changed', 'A subscription has a new price', 'A renewal billed the new price.'),
  toRow(
    'subscription.plan_changed',
    'A subscription has a new plan',
    'A renewal billed the new plan. `old_plan` is null when it is unknown.',
  ),
  toRow(
    'subscription.change_scheduled',
    'A change was scheduled',
    'A new price or plan applies from the next renewal.',
  ),
  toRow(
    'subscription.change_superseded',
    'A scheduled change was replaced',
    'Another change replaced a scheduled one.',
  ),
  toRow(
    'subscription.change_failed',
    'A scheduled change failed',
    'The renewal could not apply a change and billed the current terms.',
  ),
  toRow('subscription.paused', 'A subscription was paused', 'The subscription is not billed until it is resumed.'),
  toRow('subscription.resumed', 'A subscription was resumed', 'A paused subscription is billed again.'),
  toRow(
    'subscription.cancellation_scheduled',
    'A cancellation was scheduled',
    'A subscription will end after its paid period.',
  ),
  toRow(
    'subscription.cancellation_revoked',
    'A cancellation was revoked',
    'A subscription continues after its cancellation was revoked.',
  ),
  toRow('subscription.cancelled', 'A subscription ended', 'A subscription ended and is no longer billed.'),
  toRow('community.created', 'A community was created', 'A business created a community.', 'sent'),
  toRow('community.member.joined', 'A member joined', 'A user joined a community.'),
  toRow('community.member.imported', 'A member was imported', 'An import added a member to a community.'),
  toRow('community.member.expert_badge_assigned', 'A member became an expert', 'A member received the expert badge.'),
  toRow('community.post.created', 'A post was created', 'A member created a post in a community.', 'sent'),
  toRow('community.post.deleted', 'A post was deleted', 'A post was removed from a community.'),
  toRow('community.message.deleted', 'A message was deleted', 'A message was removed from a channel.'),
  toRow('community.channel.deleted', 'A channel was deleted', 'A channel was removed from a community.'),
  toRow('community.points.awarded', 'Points were awarded', 'A member received points.', 'sent'),
  toRow('community.points.reversed', 'Points were reversed', 'An award of points was reversed.'),
  toRow(
    'community.challenge.updated',
    'A challenge was changed',
    'The goal, the reward or the duration of a challenge changed.',
  ),
  toRow('community.challenge.cancelled', 'A challenge was cancelled', 'A challenge was cancelled and has no result.'),
  toRow('community.challenge.completed', 'A challenge was completed', 'A member reached the goal of a challenge.'),
  toRow(
    'community.library_resource.downloaded',
    'A resource was downloaded',
    'A member downloaded a library resource.',
  ),
  toRow(
    'community.onboarding_task.completed',
    'An onboarding task was completed',
    'A member completed an onboarding task.',
  ),
  toRow('community.invite.declined', 'An invite was declined', 'An invited user declined to join.'),
  toRow('community.invite.accepted', 'An invite was accepted', 'An invited user joined the community.'),
  toRow(
    'webhook.test',
    'A test event',
    'The service sends it to one endpoint on request. Endpoints cannot subscribe to it.',
    'sent',
  ),
  toRow(
    'webhook.endpoint.warning',
    'An endpoint keeps failing',
    'Deliveries to an endpoint failed for one or three days, or its receiver has refused them since the secret was rotated.',
    'sent',
  ),
  toRow(
    'webhook.endpoint.disabled',
    'An endpoint was disabled',
    'The service disabled an endpoint because its deliveries failed for too long.',
    'sent',
  ),
];

function toRow(id: string, summary: string, description: string, sent?: 'sent'): Row {
  return { id, summary, description, sent: sent === 'sent' };
}
