import { Body, Controller, Delete, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsOptional } from 'class-validator';
import { Edit } from '../../engine/streams/edit.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation } from '../../http/openapi/operation.js';
import { IsHttpsUrl } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { productDecider } from '../domain/product.js';
import { products, productSchema } from '../projections/products.js';
import { IsDisplayName } from './validators.js';

class ImageBody {
  @Describe('The address of the image; the service stores no file.', 'https://example.com/juniper.png')
  @IsHttpsUrl()
  url!: string;

  @Describe('The text that describes the image; null for none.', 'A sprig of juniper')
  @IsOptional()
  @IsDisplayName()
  alt?: string | null;
}

class AttachmentBody {
  @Describe('The address of the file; the service stores no file.', 'https://example.com/juniper.pdf')
  @IsHttpsUrl()
  url!: string;

  @Describe('The name of the file that readers see; null for none.', 'Handbook')
  @IsOptional()
  @IsDisplayName()
  name?: string | null;
}

/** Every write of a file returns the product. The service stores the address of a file, not its content. */
@Controller('v1/commerce/products/:id')
export class ProductFilesController {
  constructor(private readonly commands: CommandBus) {}

  @KeyedPost('images')
  @Operation('Add an image to a product', productSchema, {
    about: 'Has the same effect on the review as an edit. Returns the product.',
  })
  async addImage(@Ctx() context: CallerContext, @Param('id') id: string, @Body() { url, alt = null }: ImageBody) {
    const file = { type: 'AddImage', url, alt } as const;
    return { data: await this.commands.execute(new Edit(productDecider, products, context, id, file)) };
  }

  @KeyedPost('attachments')
  @Operation('Add an attachment to a product', productSchema, {
    about: 'Has the same effect on the review as an edit. Returns the product.',
  })
  async addAttachment(
    @Ctx() context: CallerContext,
    @Param('id') id: string,
    @Body() { url, name = null }: AttachmentBody,
  ) {
    const file = { type: 'AddAttachment', url, name } as const;
    return { data: await this.commands.execute(new Edit(productDecider, products, context, id, file)) };
  }

  @Delete('images/:image_id')
  @Operation('Remove an image from a product', productSchema, {
    about: 'A removal restarts no review. Returns the product.',
  })
  async removeImage(@Ctx() context: CallerContext, @Param('id') id: string, @Param('image_id') fileId: string) {
    const file = { type: 'RemoveImage', fileId } as const;
    return { data: await this.commands.execute(new Edit(productDecider, products, context, id, file)) };
  }

  @Delete('attachments/:attachment_id')
  @Operation('Remove an attachment from a product', productSchema, {
    about: 'A removal restarts no review. Returns the product.',
  })
  async removeAttachment(
    @Ctx() context: CallerContext,
    @Param('id') id: string,
    @Param('attachment_id') fileId: string,
  ) {
    const file = { type: 'RemoveAttachment', fileId } as const;
    return { data: await this.commands.execute(new Edit(productDecider, products, context, id, file)) };
  }
}
