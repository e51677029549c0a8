import type { Mode } from '../../kernel/event.js';
import type { Mail } from '../../kernel/mailer.js';
import { formatTime, renderMail } from '../../mail/render-mail.js';
import type { OfferContent } from '../domain/offer.js';

export interface OfferMail {
  readonly offer: Pick<OfferContent, 'name' | 'terms' | 'amountCents' | 'message' | 'expiresAt' | 'acceptUrl'>;
  readonly mode: Mode;
  readonly seller: string;
  readonly buyer: { readonly email: string; readonly name: string | null };
}

/** Writes the mail that offers a product to its buyer, as plain text and as HTML. */
export function writeOfferMail({ offer, mode, seller, buyer }: OfferMail): Omit<Mail, 'key'> {
  const greeting = buyer.name === null ? 'Hello,' : `Hello ${buyer.name},`;
  const summary = `${seller} offers you ${offer.name}: ${describePrice(offer)}.`;
  const paragraphs = [greeting, summary, ...(offer.message === null ? [] : [offer.message])];
  return renderMail({
    to: buyer.email,
    subject: `${mode === 'test' ? '[Test] ' : ''}${seller} offers you ${offer.name}`,
    paragraphs,
    link: { label: 'Accept the offer', url: offer.acceptUrl },
    end: `The offer expires on ${formatTime(offer.expiresAt)}.`,
  });
}

function describePrice({ amountCents, terms }: OfferMail['offer']): string {
  const price = formatAmount(amountCents, terms.currency);
  const { interval, intervalCount: count, installmentsCount } = terms;
  if (interval === null) return price;
  const cycle = count === 1 ? `every ${interval}` : `every ${count} ${interval}s`;
  return installmentsCount === null ? `${price} ${cycle}` : `${installmentsCount} payments of ${price}, one ${cycle}`;
}

/** `4900`, `EUR` → `EUR 49.00`; a yen has no minor unit. */
function formatAmount(amountCents: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amountCents / 10 ** digits).replaceAll('\u00a0', ' ');
}
