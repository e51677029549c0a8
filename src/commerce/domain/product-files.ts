import type { DecisionContext } from '../../kernel/decider.js';
import { Rejection } from '../../kernel/rejection.js';
import type { ProductEvent, ProductStatus } from './product-events.js';

/** The maximum of images of one product, and of its attachments. */
const MAX_FILES = 50;

export type AddFile =
  | { readonly type: 'AddImage'; readonly url: string; readonly alt: string | null }
  | { readonly type: 'AddAttachment'; readonly url: string; readonly name: string | null };

/** Removes an image or an attachment. */
export interface RemoveFile {
  readonly type: 'RemoveImage' | 'RemoveAttachment';
  readonly fileId: string;
}

/** The facts of a product on which its files depend. */
interface ProductWithFiles {
  readonly id: string;
  readonly revision: number;
  readonly imageIds: readonly string[];
  readonly attachmentIds: readonly string[];
}

/** @param status the status of the product after the change */
export function addFile(
  command: AddFile,
  { id: productId, revision, imageIds, attachmentIds }: ProductWithFiles,
  status: ProductStatus,
  x: DecisionContext,
): ProductEvent {
  const { url } = command;
  const upload = { productId, status, revision: revision + 1, at: x.now };
  if (command.type === 'AddImage') {
    assertRoomForFile(imageIds, 'images');
    const image = { imageId: x.createId('img'), url, alt: command.alt };
    return { type: 'ProductImageAdded', data: { ...upload, image } };
  }
  assertRoomForFile(attachmentIds, 'attachments');
  const attachment = { attachmentId: x.createId('att'), url, name: command.name };
  return { type: 'ProductAttachmentAdded', data: { ...upload, attachment } };
}

function assertRoomForFile(ids: readonly string[], kind: string): void {
  if (ids.length >= MAX_FILES)
    throw Rejection.ofField('url', `too_many_${kind}`, `A product has at most ${MAX_FILES} ${kind}.`);
}

/** A removal restarts no review, because it shows buyers nothing new. @throws Rejection not_found */
export function removeFile(
  { type, fileId }: RemoveFile,
  { id: productId, imageIds, attachmentIds }: ProductWithFiles,
  at: string,
): ProductEvent {
  const isImage = type === 'RemoveImage';
  if (!(isImage ? imageIds : attachmentIds).includes(fileId)) throw Rejection.notFound();
  return isImage
    ? { type: 'ProductImageRemoved', data: { productId, imageId: fileId, at } }
    : { type: 'ProductAttachmentRemoved', data: { productId, attachmentId: fileId, at } };
}
