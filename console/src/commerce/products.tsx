import { id, status, text, time } from '../resources/columns';
import type { Action, Field, Resource } from '../resources/resource';
import { PlansTab } from './plans-tab';

const PATH = '/v1/commerce/products/{id}';
const PLAN_FIELDS: readonly Field[] = [
  { name: 'kind', label: 'Kind', kind: 'choice', options: ['one_time', 'subscription', 'installment'], required: true },
  { name: 'name', label: 'Name' },
  { name: 'amount_cents', label: 'Amount in minor units', kind: 'cents', required: true },
  { name: 'currency', label: 'Currency', required: true },
  { name: 'interval', label: 'Interval', kind: 'choice', options: ['day', 'week', 'month', 'year'] },
  { name: 'interval_count', label: 'Intervals between payments', kind: 'integer' },
  { name: 'installments_count', label: 'Number of installments', kind: 'integer' },
];
const REVIEW: readonly Action[] = [
  {
    label: 'Approve',
    method: 'POST',
    path: `${PATH}/approve`,
    isShown: (product, { kind }) => kind === 'token' && product['approval_status'] === 'review',
  },
  {
    label: 'Deny',
    method: 'POST',
    path: `${PATH}/deny`,
    isShown: (_, { kind }) => kind === 'token',
    fields: [{ name: 'reason', label: 'Reason', kind: 'long_text', required: true }],
  },
];

const actions: readonly Action[] = [
  {
    label: 'Change',
    method: 'PATCH',
    path: PATH,
    fields: [
      { name: 'name', label: 'Name', start: (product) => product['name'] },
      { name: 'description', label: 'Description', kind: 'long_text', start: (product) => product['description'] },
      {
        name: 'status',
        label: 'Status',
        kind: 'choice',
        options: ['active', 'inactive'],
        start: (product) => product['status'],
      },
    ],
  },
  { label: 'New plan', method: 'POST', path: `${PATH}/plans`, fields: PLAN_FIELDS },
  {
    label: 'New image',
    method: 'POST',
    path: `${PATH}/images`,
    fields: [
      { name: 'url', label: 'Address (https)', required: true },
      { name: 'alt', label: 'Text for readers of the screen' },
    ],
  },
  {
    label: 'New attachment',
    method: 'POST',
    path: `${PATH}/attachments`,
    fields: [
      { name: 'url', label: 'Address (https)', required: true },
      { name: 'name', label: 'Name' },
    ],
  },
  ...REVIEW,
];

const columns = [text('name'), status(), text('approval_status', 'Approval'), id(), time()];

export const products: Resource = {
  name: 'products',
  title: 'Products',
  listPath: '/v1/commerce/products',
  itemPath: PATH,
  pagination: 'page',
  columns,
  filters: [
    { name: 'status', label: 'Status', kind: 'several', options: ['active', 'inactive'] },
    {
      name: 'approval_status',
      label: 'Approval',
      kind: 'several',
      options: ['review', 'denied', 'denied_changed', 'approved'],
    },
  ],
  creations: [
    {
      label: 'New product',
      method: 'POST',
      path: '/v1/commerce/products',
      fields: [
        { name: 'name', label: 'Name', required: true },
        { name: 'description', label: 'Description', kind: 'long_text' },
        {
          name: 'plans',
          label: 'Plans, as JSON',
          kind: 'json',
          help: 'A list, such as [{"kind":"one_time","amount_cents":2500,"currency":"EUR"}]. A plan can be added later too.',
        },
      ],
    },
  ],
  actions,
  tabs: [{ name: 'plans', title: 'Plans', show: (product) => <PlansTab product={product} /> }],
  whenEmpty: 'A product with a plan is what buyers can put into a cart, once it is approved.',
};

/** The queue of the platform's reviewers: products of all businesses. */
export const productReviews: Resource = {
  name: 'product-reviews',
  title: 'Product reviews',
  listPath: '/v1/commerce/product-reviews',
  pagination: 'page',
  columns,
  actions: REVIEW,
  filters: [{ name: 'approval_status', label: 'Approval', options: ['review'] }],
  whenEmpty: 'No product waits for a review.',
  whenForbidden:
    'Only reviewers of the platform see this list: the products of all businesses that wait for a review. Your own are in Products, with the approval “Review”. On your own machine, “npm run ops -- console open --reviewer” signs in as a reviewer, and PRODUCT_REVIEW=auto approves new products without one.',
};
