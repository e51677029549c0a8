import { productDecider } from '../../../src/commerce/domain/product.js';
import type { ProductEvent } from '../../../src/commerce/domain/product-events.js';
import { given } from '../../support/given.js';
import { EARLIER, NOW, productCreated, reviewRequested } from './facts.js';

const productId = 'prod_1';
const created = [productCreated, reviewRequested] as const;
const approved: ProductEvent = {
  type: 'ProductApproved',
  data: { productId, revision: 1, status: 'active', at: EARLIER },
};
const denied: ProductEvent = {
  type: 'ProductDenied',
  data: { productId, approvalStatus: 'denied', reason: 'Not this.', revision: 1, status: 'active', at: EARLIER },
};
const addImage = { type: 'AddImage', url: 'https://example.com/a.png', alt: 'A' } as const;
const addAttachment = { type: 'AddAttachment', url: 'https://example.com/a.pdf', name: 'A' } as const;
const image = { imageId: 'img_1', url: addImage.url, alt: 'A' };
const attachment = { attachmentId: 'att_1', url: addAttachment.url, name: 'A' };

describe('A file of a product', () => {
  it('makes a denied product inactive and returns it to review', () => {
    const upload = { productId, status: 'inactive', revision: 2, at: NOW } as const;
    const requested: ProductEvent = { type: 'ProductReviewRequested', data: { productId, at: NOW } };
    given(productDecider, ...created, denied)
      .when(addImage)
      .then({ type: 'ProductImageAdded', data: { ...upload, image } }, requested);
    given(productDecider, ...created, denied)
      .when(addAttachment)
      .then({ type: 'ProductAttachmentAdded', data: { ...upload, attachment } }, requested);
  });

  it('leaves an approved product approved, with a new revision', () =>
    given(productDecider, ...created, approved)
      .when(addImage)
      .then({ type: 'ProductImageAdded', data: { productId, status: 'active', revision: 2, at: NOW, image } }));

  it('is refused beside 50 others of its kind', () => {
    const upload = { productId, status: 'inactive', revision: 2, at: EARLIER } as const;
    const images = Array<ProductEvent>(50).fill({ type: 'ProductImageAdded', data: { ...upload, image } });
    given(productDecider, ...created, ...images)
      .when(addImage)
      .thenRejects('validation_failed', 'url');
    given(productDecider, ...created, ...images)
      .when(addAttachment)
      .then({ type: 'ProductAttachmentAdded', data: { ...upload, revision: 3, at: NOW, attachment } });
  });

  it('is removed without another review, and makes room for another one', () => {
    const upload = { productId, status: 'active', revision: 2, at: EARLIER } as const;
    const added: ProductEvent[] = [
      { type: 'ProductImageAdded', data: { ...upload, image } },
      { type: 'ProductAttachmentAdded', data: { ...upload, revision: 3, attachment } },
    ];
    const removed: ProductEvent = { type: 'ProductImageRemoved', data: { productId, imageId: 'img_1', at: NOW } };
    for (const review of [approved, denied]) {
      given(productDecider, ...created, review, ...added)
        .when({ type: 'RemoveImage', fileId: 'img_1' })
        .then(removed);
      given(productDecider, ...created, review, ...added)
        .when({ type: 'RemoveAttachment', fileId: 'att_1' })
        .then({ type: 'ProductAttachmentRemoved', data: { productId, attachmentId: 'att_1', at: NOW } });
    }
    const images = Array.from({ length: 50 }, (_, n): ProductEvent => {
      return { type: 'ProductImageAdded', data: { ...upload, image: { ...image, imageId: `img_${n}` } } };
    });
    given(productDecider, ...created, approved, ...images, removed)
      .when(addImage)
      .then({ type: 'ProductImageAdded', data: { ...upload, revision: 3, at: NOW, image } });
  });

  it('cannot be removed when it is unknown, removed already or of the other kind', () => {
    const upload = { productId, status: 'active', revision: 2, at: EARLIER } as const;
    const added: ProductEvent = { type: 'ProductImageAdded', data: { ...upload, image } };
    const removed: ProductEvent = { type: 'ProductImageRemoved', data: { productId, imageId: 'img_1', at: NOW } };
    given(productDecider, ...created, added)
      .when({ type: 'RemoveImage', fileId: 'img_2' })
      .thenRejects('not_found');
    given(productDecider, ...created, added, removed)
      .when({ type: 'RemoveImage', fileId: 'img_1' })
      .thenRejects('not_found');
    given(productDecider, ...created, added)
      .when({ type: 'RemoveAttachment', fileId: 'img_1' })
      .thenRejects('not_found');
  });

  it('is refused for an unknown product', () => given(productDecider).when(addImage).thenRejects('not_found'));
});
