import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { limits } from '../../block-kit/limits.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { digestFiles } from '../../model/digest.ts';
import { AppError, sentencesOf } from '../../model/error.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { kindOf } from '../../questions/index.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { oneOf } from '../../questions/parse/typed-words.ts';
import type { Place, SlackAction, SlackModal, Submission } from '../app/handler-types.ts';
import { isDirect, readZone } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { DigestParts } from '../app/parts.ts';
import { digestPrincipalHere, resolvePrincipal } from '../people/principals.ts';
import { readSchedule, writtenSchedule } from './digest-schedule.ts';
import { changeDigest, makeDigest } from './make-digest.ts';

const TITLE_LENGTH = 100;
const QUESTION_LENGTH = 1_000;

/** What the form holds. `id` null: it makes a new digest, and asks what it is to tell. */
interface DigestForm {
  readonly id: string | null;
  readonly at: Place;
  readonly title: string;
  readonly question: string;
  readonly when: string;
  readonly timeZone: string;
  readonly place: 'here' | 'owner';
  /** A channel to tell it in instead; empty: none. */
  readonly channel: string;
  /** A calendar's id; empty: on any day. */
  readonly workingDays: string;
  /** Empty: none. */
  readonly file: string;
}

/** The form of a digest, filled in; `wrong` is why it is shown again. */
export function digestFormView(
  form: DigestForm,
  calendars: readonly CalendarDefinition[],
  wrong: string | null,
): ModalView {
  const { id, at } = form;
  const places = [
    ...(isDirect(at.channel) ? [] : [option('In the channel where this was typed', 'here')]),
    option(id === null ? 'To you alone' : 'To its owner alone', 'owner'),
  ];
  const none = option('None', 'none');
  return {
    type: 'modal',
    callback_id: 'digest-form',
    private_metadata: JSON.stringify({ id, at, question: id === null ? '' : form.question }),
    title: plain(id === null ? 'New digest' : 'Change a digest'),
    submit: plain(id === null ? 'Create' : 'Save'),
    close: plain('Cancel'),
    blocks: [
      ...(wrong === null ? [] : [section(`:warning: ${escapeMrkdwn(wrong)}`)]),
      ...(id === null ? [questionInput(form.question)] : [section(`Tells ${escapeMrkdwn(form.question)}.`)]),
      text('Title', 'title', form.title, TITLE_LENGTH, id === null),
      {
        ...text('When', 'when', form.when, TITLE_LENGTH, false),
        hint: plain(
          'Such as: every monday and thursday at 9, every month on the 1st at 17:00, cron 0 9 * * 1-5',
        ),
      },
      {
        ...text('On the clocks of', 'zone', form.timeZone, TITLE_LENGTH, false),
        hint: plain('Such as Europe/Berlin'),
      },
      menu('Where', 'place', places, form.place),
      otherChannel(form.channel),
      menu('On working days of', 'days', [none, ...calendarOptions(calendars)], form.workingDays || 'none'),
      menu(
        'File in the thread',
        'file',
        [none, ...digestFiles.map((file) => option(file.toUpperCase(), file))],
        form.file || 'none',
      ),
      context(
        'Nobody is told that it is there, but in a channel /tis digest lists it to whoever asks: what it tells of only to those who may see that.',
      ),
    ],
  };
}

/** Channels as Slack knows them to who fills it in. */
function otherChannel(chosen: string): InputBlock {
  return {
    type: 'input',
    block_id: 'channel',
    label: plain('Or in another channel'),
    optional: true,
    element: {
      type: 'conversations_select',
      action_id: 'channel',
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      ...(chosen === '' ? {} : { initial_conversation: chosen }),
    },
    hint: plain('I have to be in it: type /invite @Dwell there.'),
  };
}

function questionInput(question: string): InputBlock {
  return {
    ...text('What', 'question', question, QUESTION_LENGTH, false),
    hint: plain('As behind /tis: weekly WEB, aging WEB, project WEB last 30 days by assignee, saved NAME'),
  };
}

function calendarOptions(calendars: readonly CalendarDefinition[]): PlainTextOption[] {
  return calendars
    .slice(0, limits.select.options - 1)
    .map((calendar) => option(calendar.name, calendarIdOf(calendar)));
}

function text(label: string, id: string, value: string, most: number, optional: boolean): InputBlock {
  return {
    type: 'input',
    block_id: id,
    label: plain(label),
    optional,
    element: {
      type: 'plain_text_input',
      action_id: id,
      max_length: most,
      ...(value === '' ? {} : { initial_value: value }),
    },
  };
}

function menu(label: string, id: string, options: PlainTextOption[], chosen: string): InputBlock {
  const initial = options.find(({ value }) => value === chosen);
  return {
    type: 'input',
    block_id: id,
    label: plain(label),
    element: {
      type: 'static_select',
      action_id: id,
      options,
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
  };
}

function option(words: string, value: string): PlainTextOption {
  return { text: plain(shorten(words, limits.option.text)), value };
}

function plain(words: string) {
  return { type: 'plain_text', text: words } as const;
}

const carried = z.object({
  id: z.string().nullable(),
  question: z.string(),
  at: z.object({ channel: z.string(), threadTs: z.string().nullable() }),
});

/** What was filled in. */
function readDigestForm({ metadata, texts, chosen }: Submission): DigestForm {
  const { id, at, question } = carried.parse(JSON.parse(metadata));
  const orNothing = (value: string | undefined) => (value === undefined || value === 'none' ? '' : value);
  return {
    id,
    at,
    title: texts.title ?? '',
    question: texts.question ?? question,
    when: texts.when ?? '',
    timeZone: texts.zone ?? '',
    place: chosen.place === 'here' ? 'here' : 'owner',
    channel: chosen.channel ?? '',
    workingDays: orNothing(chosen.days),
    file: orNothing(chosen.file),
  };
}

/** What can be seen to be wrong at once, by `block_id`. */
function wrongInDigestForm(submission: Submission): Readonly<Record<string, string>> {
  const { when, timeZone } = readDigestForm(submission);
  const wrong = (id: string, read: () => unknown) => {
    try {
      read();
      return {};
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { [id]: error.details.join(' ').replaceAll('`', '') };
    }
  };
  return { ...wrong('when', () => readSchedule(when)), ...wrong('zone', () => readZone(timeZone)) };
}

/** The form of a digest, submitted; it comes back as it was filled in when something is wrong. */
export const digestForm: SlackModal<DigestParts> = {
  id: 'digest-form',
  title: 'Digest',
  meanwhile: 'Looking whether it can come like that…',
  wrongAtOnce: wrongInDigestForm,
  placeOf: (submission) => readDigestForm(submission).at,
  async answer(submission, parts) {
    const account = submission.principal.account;
    const form = readDigestForm(submission);
    const words = {
      title: form.title.trim() === '' ? null : form.title.trim(),
      question: form.question,
      cron: readSchedule(form.when),
      place: form.channel === '' ? form.place : ('here' as const),
      timeZone: readZone(form.timeZone),
      workingDays: form.workingDays === '' ? null : form.workingDays,
      file: oneOf(digestFiles, form.file) ?? null,
    };
    const at = form.channel === '' ? form.at : { channel: form.channel, threadTs: null };
    try {
      return form.id === null
        ? await makeDigest(words, account, at, parts)
        : await changeDigest(form.id, words, account, at, parts);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      const wrong = sentencesOf(error).join(' ');
      const calendars = await parts.settings.calendars(await resolvePrincipal(account, parts));
      return {
        ...notice(`Nothing is changed. ${escapeMrkdwn(wrong)}`),
        again: digestFormView(form, calendars, wrong),
      };
    }
  },
};

/** *Edit* beside a digest; its value is the id. */
export const digestEdit: SlackAction<DigestParts> = {
  id: 'digest-edit',
  run({ value, principal: { account: user }, place, open }, parts) {
    const make = async () => {
      const digest = await parts.digests.get(await digestPrincipalHere(user, parts), value);
      const calendars = await parts.settings.calendars(await resolvePrincipal(user, parts));
      const { title, question, schedule, workingDays, file } = digest;
      const isInChannel = digest.place.kind === 'channel';
      const at = isInChannel ? { channel: digest.place.channel, threadTs: null } : place;
      const form = {
        id: value,
        at,
        title,
        question: kindOf(question).title(question),
        when: writtenSchedule(schedule.cron),
        timeZone: schedule.timeZone,
        place: isInChannel ? 'here' : 'owner',
        channel: '',
        workingDays: workingDays ?? '',
        file: file ?? '',
      } as const;
      return digestFormView(form, calendars, null);
    };
    const view = { title: 'Change a digest', meanwhile: 'Looking it up…', make };
    return openLateView({ ...view, advice: 'Please press the button again.' }, open, parts);
  },
};
