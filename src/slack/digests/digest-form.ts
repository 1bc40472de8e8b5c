import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { type DigestPlace, digestFiles } from '../../model/digest.ts';
import { AppError, sentencesOf } from '../../model/error.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { shorten } from '../../output/readable-text.ts';
import { calendarName } from '../../time/hours-text.ts';
import { readSchedule, writtenSchedule } from '../../time/read-schedule.ts';
import { viewOf } from '../answers/index.ts';
import { inputBlock, menuInput, optionOf, plainText, textInput } from '../app/form-blocks.ts';
import type { Click, Place, SlackAction, SlackModal, Submission } from '../app/handler-types.ts';
import { hoursShown, isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { DigestParts } from '../app/parts.ts';
import { capitalized } from '../app/show-failure.ts';
import { calendarIdOf, readZone, zoneRemark } from '../ask/grammar/read-calendar.ts';
import { oneOf } from '../ask/grammar/typed-words.ts';
import { context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { digestPrincipalHere, resolvePrincipal } from '../people/accounts.ts';
import { saveDigest } from './save-digest.ts';

const TITLE_LENGTH = 100;
/** Of a digest that is changed: Slack carries no more than 3,000 characters with a form. */
const QUESTION_LENGTH = 300;
const NONE = 'none';

/** What the form holds; `id` null: of a new digest, `at`: where it was opened. Menus hold `none` where nothing is chosen. */
type DigestForm = ReturnType<typeof readDigestForm>;

/** The form of a digest, filled in; `wrong` is why it is shown again. */
export function digestFormView(
  { id, at, ...form }: DigestForm,
  calendars: readonly CalendarDefinition[],
  wrong: string | null,
): ModalView {
  const isNew = id === null;
  return {
    type: 'modal',
    callback_id: 'digest-form',
    private_metadata: JSON.stringify({ id, at, question: isNew ? '' : form.question }),
    title: plainText(isNew ? 'New digest' : 'Edit digest'),
    submit: plainText(isNew ? 'Schedule' : 'Save'),
    close: plainText('Cancel'),
    blocks: [
      ...(wrong === null ? [] : [section(`:warning: ${escapeMrkdwn(wrong)}`)]),
      isNew
        ? textInput('question', 'Report', form.question, {
            hint: 'Same as after /tis: weekly WEB, aging WEB, WEB last 30 days by assignee, saved NAME',
          })
        : section(`*Report:* ${escapeMrkdwn(form.question)}`),
      textInput('when', 'When', form.when, {
        hint: 'For example: every monday and thursday at 9, every month on the 1st at 17:00',
      }),
      textInput('zone', 'Time zone', form.timeZone, { hint: 'For example: Europe/Berlin' }),
      menuInput('place', 'Post it', form.place, [
        optionOf('In a channel', 'channel'),
        optionOf(isNew ? 'Only to me' : 'Only to its owner', 'owner'),
      ]),
      inputBlock(
        'channel',
        'Channel',
        {
          type: 'conversations_select',
          action_id: 'channel',
          filter: { include: ['public', 'private'], exclude_bot_users: true },
          ...(form.channel === '' ? {} : { initial_conversation: form.channel }),
        },
        { optional: true, hint: 'I have to be in it: type /invite @Dwell there.' },
      ),
      menuInput('days', 'Days', form.workingDays, [
        optionOf('Any day', NONE),
        ...calendars.map((one) => optionOf(`Working days of ${calendarName(one)}`, calendarIdOf(one))),
      ]),
      menuInput('file', 'File in the thread', form.file, [
        optionOf('None', NONE),
        ...digestFiles.map((file) => optionOf(file.toUpperCase(), file)),
      ]),
      textInput('title', 'Title', form.title, {
        ...{ optional: true, longest: TITLE_LENGTH },
        hint: "Leave empty to use the report's name.",
      }),
      context(
        '`/tis digest` lists it for everyone in the channel, but names the report only to people who can see it.',
      ),
    ],
  };
}

/** Where a form was opened, as it carries that. */
export const placeSchema = z.object({ channel: z.string(), threadTs: z.string().nullable() });
const carried = z.object({ id: z.string().nullable(), question: z.string(), at: placeSchema });

/** What was filled in. */
function readDigestForm({ metadata, texts, chosen }: Submission) {
  const { id, at, question } = carried.parse(JSON.parse(metadata));
  return {
    id,
    at,
    title: texts.title?.trim() ?? '',
    question: texts.question ?? question,
    when: texts.when ?? '',
    timeZone: texts.zone ?? '',
    place: chosen.place === 'channel' ? ('channel' as const) : ('owner' as const),
    channel: chosen.channel ?? '',
    workingDays: chosen.days ?? NONE,
    file: chosen.file ?? NONE,
  };
}

/** The form of a digest, submitted; it comes back as it was filled in when something is wrong. */
export const digestForm: SlackModal<DigestParts> = {
  id: 'digest-form',
  title: 'Digest',
  meanwhile: 'Scheduling it…',
  wrongAtOnce(submission) {
    const { when, timeZone, place, channel } = readDigestForm(submission);
    return {
      ...problemAt('when', () => readSchedule(when)),
      ...problemAt('zone', () => readZone(timeZone)),
      ...(place === 'channel' && channel === '' ? { channel: 'Choose a channel.' } : {}),
    };
  },
  placeOf: (submission) => readDigestForm(submission).at,
  async answer(submission, parts) {
    const { account } = submission.principal;
    const form = readDigestForm(submission);
    const { id, title, question, channel } = form;
    const place: DigestPlace = form.place === 'channel' ? { kind: 'channel', channel } : { kind: 'owner' };
    const at = place.kind === 'channel' ? { channel, threadTs: null } : form.at;
    const draft = {
      ...{ question, place, title: title === '' ? null : title },
      cron: readSchedule(form.when),
      timeZone: readZone(form.timeZone),
      zoneRemark: zoneRemark(form.timeZone),
      workingDays: form.workingDays === NONE ? null : form.workingDays,
      file: oneOf(digestFiles, form.file) ?? null,
    };
    try {
      return await saveDigest(id, draft, account, at, parts);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      const wrong = sentencesOf(error).map(capitalized).join(' ');
      const calendars = await parts.settings.calendars(await resolvePrincipal(account, parts));
      const again = digestFormView(form, calendars, wrong);
      return { ...notice(`Nothing was saved. ${escapeMrkdwn(wrong)}`), again };
    }
  },
};

/** What is wrong with an input, by its `block_id`. */
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
    const form: DigestForm = {
      ...{ id, at, title: stored?.title ?? '' },
      ...{ place: place.kind, channel: place.kind === 'channel' ? place.channel : '' },
      question:
        stored === null ? question : shorten(viewOf(stored.question).title(stored.question), QUESTION_LENGTH),
      when: stored === null ? 'every monday at 9' : writtenSchedule(stored.schedule.cron),
      timeZone: stored?.schedule.timeZone ?? (await hoursShown(at, account, parts)).timeZone,
      workingDays: stored?.workingDays ?? NONE,
      file: stored?.file ?? NONE,
    };
    const principal = await resolvePrincipal(account, parts);
    return digestFormView(form, await parts.settings.calendars(principal), null);
  };
  const title = id === null ? 'New digest' : 'Edit digest';
  return openLateView({ title, meanwhile: 'One moment…', advice: 'Please try again.', make }, open, parts);
}

/** Where a digest is posted that is scheduled in a place. */
export function placeAt({ channel }: Pick<Place, 'channel'>): DigestPlace {
  return isDirect(channel) ? { kind: 'owner' } : { kind: 'channel', channel };
}
