import type { ConversationsSelect } from '@slack/types';
import { z } from 'zod';
import { type DigestPlace, digestFiles } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { shorten } from '../../output/readable-text.ts';
import { readSchedule, writtenSchedule } from '../../time/read-schedule.ts';
import { calendarName } from '../../time/working-days.ts';
import { viewOf } from '../answers/index.ts';
import { defineForm, field, placeSchema } from '../app/define-form.ts';
import { entered, input, optionOf } from '../app/form-inputs.ts';
import type { Click, Place, SlackAction, SlackModal } from '../app/handler-types.ts';
import { hoursShown, isDirect } from '../app/hours-here.ts';
import { openLateView } from '../app/open-view.ts';
import type { DigestParts } from '../app/parts.ts';
import { calendarIdOf, readZone, zoneRemark } from '../ask/grammar/read-calendar.ts';
import { context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { digestPrincipalHere, resolvePrincipal } from '../people/accounts.ts';
import { saveDigest } from './save-digest.ts';

const TITLE_LENGTH = 100;
/** The limit for the question of a digest that is changed: Slack carries no more than 3,000 characters with a form. */
const QUESTION_LENGTH = 300;
const NONE = 'none';

/** The form of a digest; menus have the value `none` where nothing is chosen. */
export const digestForm = defineForm({
  id: 'digest-form',
  title: 'Digest',
  submit: 'Save',
  refused: 'Nothing was saved.',
  /** `id` null: of a new digest. `at`: where it was opened. */
  carried: z.object({ id: z.string().nullable(), question: z.string(), at: placeSchema }),
  carry: ({ id, at, question }) => ({ id, at, question: id === null ? '' : question }),
  reads: {
    question: entered.text,
    when: entered.text,
    timeZone: entered.text,
    channel: entered.text,
    place: z.enum(['channel', 'owner']).default('owner'),
    workingDays: z.string().default(NONE),
    file: z.enum([NONE, ...digestFiles]).default(NONE),
    title: z.string().trim().default(''),
  },
  ids: { timeZone: 'zone', workingDays: 'days' },
  words: ({ id }) => (id === null ? { title: 'New digest', submit: 'Schedule' } : { title: 'Edit digest' }),
  rows: ({ id, question }, calendars: readonly CalendarDefinition[]) => [
    id === null
      ? field('question', 'Report', input.text(), {
          hint: 'Same as after /tis: weekly WEB, aging WEB, WEB last 30 days by assignee, saved NAME',
        })
      : section(`*Report:* ${escapeMrkdwn(question)}`),
    field('when', 'When', input.text(), {
      hint: 'For example: every monday and thursday at 9, every month on the 1st at 17:00',
    }),
    field('timeZone', 'Time zone', input.text(), { hint: 'For example: Europe/Berlin' }),
    field(
      'place',
      'Post it',
      input.menu([
        optionOf('In a channel', 'channel'),
        optionOf(id === null ? 'Only to me' : 'Only to its owner', 'owner'),
      ]),
    ),
    field('channel', 'Channel', channelMenu, {
      optional: true,
      hint: 'I have to be in it: type /invite @Dwell there.',
    }),
    field(
      'workingDays',
      'Days',
      input.menu([
        optionOf('Any day', NONE),
        ...calendars.map((one) => optionOf(`Working days of ${calendarName(one)}`, calendarIdOf(one))),
      ]),
    ),
    field(
      'file',
      'File in the thread',
      input.menu([optionOf('None', NONE), ...digestFiles.map((file) => optionOf(file.toUpperCase(), file))]),
    ),
    field('title', 'Title', input.text({ maxLength: TITLE_LENGTH }), {
      optional: true,
      hint: "Leave empty to use the report's name.",
    }),
    context(
      '`/tis digest` lists it for everyone in the channel, but names the report only to people who can see it.',
    ),
  ],
});

function channelMenu(channel: string): ConversationsSelect {
  return {
    type: 'conversations_select',
    filter: { include: ['public', 'private'], exclude_bot_users: true },
    ...(channel !== '' && { initial_conversation: channel }),
  };
}

/** The form of a digest, submitted; it comes back as it was filled in when something is wrong. */
export const submitDigest: SlackModal<DigestParts> = digestForm.modal({
  meanwhile: 'Scheduling it…',
  wrongAtOnce: ({ when, timeZone, place, channel }) => ({
    ...problemAt('when', () => readSchedule(when)),
    ...problemAt('zone', () => readZone(timeZone)),
    ...(place === 'channel' && channel === '' ? { channel: 'Choose a channel.' } : {}),
  }),
  placeOf: ({ at }) => at,
  async answer(form, { principal: { account } }, parts) {
    const { id, title, question, channel } = form;
    const place: DigestPlace = form.place === 'channel' ? { kind: 'channel', channel } : { kind: 'owner' };
    const at = place.kind === 'channel' ? { channel, threadTs: null } : form.at;
    const draft = {
      question,
      place,
      title: title === '' ? null : title,
      cron: readSchedule(form.when),
      timeZone: readZone(form.timeZone),
      zoneRemark: zoneRemark(form.timeZone),
      workingDays: form.workingDays === NONE ? null : form.workingDays,
      file: form.file === NONE ? null : form.file,
    };
    return saveDigest(id, draft, account, at, parts);
  },
  choices: async (_, { principal: { account } }, parts) =>
    parts.settings.calendars(await resolvePrincipal(account, parts)),
});

/** The problem with an input, by its `block_id`; empty where there is none. */
function problemAt(id: string, read: () => unknown): Readonly<Record<string, string>> {
  try {
    read();
    return {};
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { [id]: error.details.join(' ') };
  }
}

/** *Edit* beside a digest; its value is the id. */
export const digestEdit: SlackAction<DigestParts> = {
  id: 'digest-edit',
  run: (click, parts) => openDigestForm(click.value.split(' ')[0] ?? '', click, parts),
};

/** Opens the form, of a new digest (of a question, as it was typed) where `id` is null. */
export function openDigestForm(
  id: string | null,
  { principal: { account }, place: at, open }: Pick<Click, 'principal' | 'place' | 'open'>,
  parts: DigestParts,
  question = '',
) {
  const make = async () => {
    const by = await digestPrincipalHere(account, parts);
    const stored = id === null ? null : await parts.digests.get(by, id);
    const place = stored?.place ?? placeAt(at);
    const calendars = await parts.settings.calendars(await resolvePrincipal(account, parts));
    const form = {
      id,
      at,
      title: stored?.title ?? '',
      place: place.kind,
      channel: place.kind === 'channel' ? place.channel : '',
      question:
        stored === null ? question : shorten(viewOf(stored.question).title(stored.question), QUESTION_LENGTH),
      when: stored === null ? 'every monday at 9' : writtenSchedule(stored.schedule.cron),
      timeZone: stored?.schedule.timeZone ?? (await hoursShown(at, account, parts)).timeZone,
      workingDays: stored?.workingDays ?? NONE,
      file: stored?.file ?? NONE,
    } as const;
    return digestForm.view(form, calendars);
  };
  const title = id === null ? 'New digest' : 'Edit digest';
  return openLateView({ title, meanwhile: 'One moment…', advice: 'Please try again.', make }, open, parts);
}

/** The place of the posts of a digest that is scheduled in a channel or a direct conversation. */
export function placeAt({ channel }: Pick<Place, 'channel'>): DigestPlace {
  return isDirect(channel) ? { kind: 'owner' } : { kind: 'channel', channel };
}
