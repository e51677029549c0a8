import type { Owned } from '../../kernel/ownership.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import { describe, type DocumentOf, enumOf, ERASED, id, KIND, ref, resource } from '../../kernel/schema.js';
import type { BuyerErasureEvent } from '../domain/buyer-erasure.js';

/** Only ids: everything else about the buyer is erased, or belongs to the orders. */
export const erasedBuyerSchema = resource('ErasedBuyer', {
  id: describe(id('buy'), 'The id of the buyer.'),
  object: describe(enumOf('buyer'), KIND),
  business: describe(ref('business', 'biz'), 'The business that this object belongs to.'),
  erased: describe(ERASED, 'Always true: the personal data of the buyer is erased.', true),
});

/** Renders the public event. It is not a read model. */
export const erasedBuyers: Projection<DocumentOf<typeof erasedBuyerSchema> & Pick<Owned, '_mode'>, BuyerErasureEvent> =
  {
    name: 'erasedBuyers',
    version: 1,
    id: pickId('buyerId'),
    indexes: [],
    on: {
      BuyerErased: (_, { data: { buyerId, businessId, mode } }) => ({
        id: buyerId,
        object: 'buyer',
        business: toReference('business', businessId),
        erased: true,
        _mode: mode,
      }),
    },
  };
