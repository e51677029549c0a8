import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { sendMail } from '../../engine/send-mail.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { Mailer } from '../../kernel/mailer.js';
import { declareQueue } from '../../kernel/queue.js';
import { communityDecider } from '../domain/community.js';
import { inviteDecider, type InviteEvent, isPending, type KnownInvite } from '../domain/invite.js';
import { writeInviteMail } from './invite-mail.js';

type InviteSent = Extract<InviteEvent, { type: 'InviteCreated' | 'InviteRenewed' | 'InviteResent' }>;

interface Sending {
  readonly inviteId: string;
  readonly sending: number;
}

/** Mails an invite to its address, once for each sending. */
@Injectable()
export class MailInvites implements Reactor<InviteSent>, JobHandler<Sending> {
  readonly name = 'mail-invites';
  readonly types = typesOf<InviteSent>({ InviteCreated: true, InviteRenewed: true, InviteResent: true });
  readonly queue = declareQueue<Sending>({ name: 'invite-mails' });
  readonly concurrency = 2;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
    private readonly personal: PersonalFields,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async react(event: RecordedOf<InviteSent>): Promise<void> {
    const { inviteId } = event.data;
    const sending = event.type === 'InviteCreated' ? 1 : event.data.sending;
    if (sending === null) return;
    const key = `invite-mail:${inviteId}:${sending}`;
    await this.jobs.enqueue([this.queue.createJob({ key, due: event.meta.at, data: { inviteId, sending } })]);
  }

  /** Leaves out the mail of an invite that has ended since, and of a forgotten person. */
  async run({ data: { inviteId, sending } }: Pick<Job<Sending>, 'data'>): Promise<void> {
    const invite = await this.streams.loadState(inviteDecider, inviteId);
    if (invite.status === 'unknown' || !isPending(invite, toIso(this.clock.now()))) return;
    const community = await this.streams.loadState(communityDecider, invite.communityId);
    const to = await this.decryptAddress(invite);
    if (community.status !== 'active' || to === null) return;

    const acceptUrl = `${this.config.inviteUrl}/${inviteId}`;
    const mail = writeInviteMail({ invite, community: community.settings.name, to, acceptUrl });
    await sendMail(this.mailer, { key: `invite:${inviteId}:${sending}`, ...mail }, inviteId);
  }

  /** Returns null when the person was forgotten. */
  private async decryptAddress({ email }: KnownInvite): Promise<string | null> {
    return (await this.personal.decrypt({ email })).email as unknown as string | null;
  }
}
