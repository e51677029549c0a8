import { Body, Controller, Get, Injectable, Module, Param, Post, Query } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsObject, IsOptional, IsString, Length, Min, ValidateNested } from 'class-validator';
import { PersonalFields } from '../../../src/engine/encryption/personal-fields.js';
import { Access } from '../../../src/http/auth/access.js';
import { Ctx } from '../../../src/http/auth/request-context.js';
import { IdempotencyKeyRequired } from '../../../src/http/idempotency/idempotency-key.js';
import { KeyedPost } from '../../../src/http/idempotency/keyed-post.js';
import { ApiResponse } from '../../../src/http/server/api-response.js';
import { CursorQuery, MultiValue, PageQuery } from '../../../src/http/validation/paging.js';
import type { CallerContext } from '../../../src/kernel/caller.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { Rejection, type RejectionCode } from '../../../src/kernel/rejection.js';

class PartBody {
  @IsInt()
  @Min(0)
  amount_cents!: number;
}

export class ProbeBody {
  @IsString()
  @Length(1, 200)
  name!: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PartBody)
  plans?: PartBody[];

  @IsOptional()
  @IsObject()
  metadata?: object;

  @IsOptional()
  @IsIn(['https'], { context: { code: 'url_not_allowed' } })
  url?: string;
}

export class ProbesQuery extends PageQuery {
  @IsOptional()
  @MultiValue()
  @IsArray()
  @IsIn(['failed', 'abandoned'], { each: true })
  status?: string[];

  @IsOptional()
  @IsString()
  buyer_email?: string;
}

/** Records the runs of the routes below, and controls how the next run ends. */
@Injectable()
export class Probe {
  readonly runs: { readonly commandId: string; readonly at: number; readonly body: unknown }[] = [];
  next: () => Promise<void> | void = () => undefined;

  /** Returns the number of the run. */
  async run({ commandId, at }: CallerContext, body: unknown): Promise<number> {
    const run = this.runs.push({ commandId, at, body });
    const how = this.next;
    this.next = () => undefined;
    await how();
    return run;
  }

  refuseNext(code: RejectionCode = 'no_change'): void {
    this.next = () => {
      throw new Rejection(code, 'Not now.');
    };
  }

  failNext(): void {
    this.next = () => {
      throw new StoreUnavailable('gone', true);
    };
  }
}

@Controller('v1/commerce/probes')
export class CommerceProbes {
  constructor(
    private readonly probe: Probe,
    private readonly personal: PersonalFields,
  ) {}

  @KeyedPost()
  async create(@Ctx() context: CallerContext, @Body() body: ProbeBody) {
    const run = await this.probe.run(context, body);
    const buyer = { object: 'buyer', email: await this.personal.encryptEmail('Ann@example.com') };
    return { data: { id: `run_${run}`, _mode: context.mode, buyer, metadata: body.metadata ?? {}, name: body.name } };
  }

  @KeyedPost('found')
  async found(@Ctx() context: CallerContext, @Body() body: ProbeBody) {
    return new ApiResponse(200, { data: { run: await this.probe.run(context, body) } });
  }

  @Get()
  list(@Query() { page, perPage, status, buyer_email }: ProbesQuery) {
    return { data: [{ id: '1', _hidden: true }], pagination: { page, perPage, status, buyer_email } };
  }

  @Get('stream')
  stream(@Query() { count, cursor }: CursorQuery) {
    return { data: [], pagination: { count, cursor } };
  }

  @Get(':id')
  retrieve(@Param('id') id: string) {
    if (id !== 'probe_1') throw Rejection.notFound();
    return { data: { id } };
  }
}

@Controller('v1/webhooks/probes')
export class WebhookProbes {
  constructor(private readonly probe: Probe) {}

  @KeyedPost(':id/rotations')
  @Access('secret_key')
  @IdempotencyKeyRequired()
  async rotate(@Ctx() context: CallerContext, @Param('id') id: string) {
    await this.probe.run(context, null);
    return ApiResponse.withSecret({ data: { id } }, { signing_secret: 'whsec_1' });
  }
}

@Controller('v1/community/probes')
export class CommunityProbes {
  constructor(private readonly probe: Probe) {}

  @Post()
  async create(@Ctx() context: CallerContext, @Body() body: ProbeBody) {
    await this.probe.run(context, body);
    return { data: { run: this.probe.runs.length } };
  }
}

@Module({ controllers: [CommerceProbes, WebhookProbes, CommunityProbes], providers: [Probe] })
export class ProbeModule {}
