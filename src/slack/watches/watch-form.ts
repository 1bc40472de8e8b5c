import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { limits } from '../../block-kit/limits.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { AppError, badRequest, badRequestAs } from '../../model/error.ts';
import type { Status } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { ParserContext } from '../../questions/parse/parser-context.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { filterOrDefault } from '../../questions/parse/read-filter.ts';
import { wordsOf } from '../../questions/parse/typed-words.ts';
import { calendarOf } from '../../time/calendar.ts';
import type { Place, SlackAction, SlackModal, Submission } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { ReadingParts, WatchParts } from '../app/parts.ts';
import { typedSentences } from '../app/show-failure.ts';
import { parserContextOf } from '../ask/read-question.ts';
import { beginWatch } from './begin-watch.ts';
import {
  allowedThresholds,
  LONGEST_TITLE,
  namesOf,
  type ReadWatch,
  readStatus,
  readThreshold,
} from './watch-words.ts';

/** *New watch* below the list of somebody's watches. */
export const watchNew: SlackAction<WatchParts> = {
  id: 'watch-new',
  run: ({ principal: { account: user }, place, open }, parts) =>
    openLateView(
      {
        title: 'New watch',
        meanwhile: 'Looking what can be watched…',
        advice: 'Please press the button again.',
        make: () => emptyWatchForm(user, place, parts),
      },
      open,
      parts,
    ),
};

/** The empty form of a new watch, as it is for an account in a place. */
export async function emptyWatchForm(account: string, { channel }: Place, parts: ReadingParts) {
  const asking = await parserContextOf(account, { channel }, parts);
  const statuses = namesOf(await parts.reporting.statuses(asking.principal));
  const review = statuses.find((name) => /review/i.test(name));
  return watchFormView(
    {
      place: channel,
      status: review ?? '',
      threshold: 'usual',
      filter: '',
      calendar: asking.hours.calendar,
      tells: 'assignee',
    },
    { statuses, calendars: asking.calendars, wrong: null },
  );
}

/** The form of a new watch, submitted; it comes back as it was filled in when something is wrong. */
export const watchForm: SlackModal<WatchParts> = {
  id: 'watch-form',
  title: 'New watch',
  meanwhile: 'Looking what sits there now…',
  placeOf: formPlace,
  async answer(submission, parts) {
    const account = submission.principal.account;
    const form = readWatchForm(submission);
    const asking = await parserContextOf(account, { channel: form.place }, parts);
    const statuses = await parts.reporting.statuses(asking.principal);
    try {
      const { wish, remarks } = await watchOfForm(form, asking, statuses);
      return await beginWatch(wish, remarks, account, parts);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      const wrong = typedSentences(error).join(' ');
      const choices = { statuses: namesOf(statuses), calendars: asking.calendars, wrong };
      return {
        ...notice(`Nothing is watched yet. ${escapeMrkdwn(wrong)}`),
        again: watchFormView(form, choices),
      };
    }
  },
};

/** What stands in the form of a new watch. `place` is the channel it was opened in. */
interface WatchForm {
  readonly place: string;
  readonly status: string;
  readonly threshold: string;
  readonly filter: string;
  readonly calendar: string;
  readonly tells: 'assignee' | 'owner';
}

/** What can be chosen in it; `wrong` is why it is shown again. */
interface WatchFormChoices {
  /** Names. */
  readonly statuses: readonly string[];
  readonly calendars: readonly CalendarDefinition[];
  readonly wrong: string | null;
}

/** The form of a new watch, filled in. */
export function watchFormView(form: WatchForm, { statuses, calendars, wrong }: WatchFormChoices): ModalView {
  return {
    type: 'modal',
    callback_id: 'watch-form',
    private_metadata: JSON.stringify({ channel: form.place }),
    title: plain('New watch'),
    submit: plain('Watch'),
    close: plain('Cancel'),
    blocks: [
      ...(wrong === null ? [] : [section(`:warning: ${escapeMrkdwn(shorten(wrong, 1_000))}`)]),
      ...statusInput(form.status, statuses),
      {
        ...textInput('Longer than', 'threshold', form.threshold),
        hint: plain(
          '3 working days, 2 days, 6 hours, or usual: what 85 % of the visits there did not exceed.',
        ),
      },
      {
        ...textInput('Issues', 'filter', form.filter),
        optional: true,
        hint: plain(
          'A project, sprint NAME, filter NAME, assignee NAME, or jql QUERY; empty: what is usual here.',
        ),
      },
      menu(
        'Measured in',
        'calendar',
        calendars.map((one) =>
          option(one.id === null ? 'All hours, around the clock' : one.name, calendarIdOf(one)),
        ),
        form.calendar,
      ),
      menu(
        'Tell',
        'tells',
        [option('Who is in charge, or stands in for them', 'assignee'), option('Me', 'owner')],
        form.tells,
      ),
      context('Everybody is told in a direct message, in working hours, once for each stay.'),
    ],
  };
}

/** More statuses than a menu holds are typed. */
function statusInput(status: string, names: readonly string[]): KnownBlock[] {
  if (names.length === 0 || names.length > limits.select.options) {
    return [textInput('Status', 'status', status)];
  }
  const options = names.map((name) => option(name, shorten(name, limits.option.value)));
  return [menu('Status', 'status', options, status)];
}

function textInput(label: string, id: string, initial: string): InputBlock {
  return {
    type: 'input',
    block_id: id,
    label: plain(label),
    element: {
      type: 'plain_text_input',
      action_id: id,
      max_length: limits.plainTextInput,
      ...(initial === '' ? {} : { initial_value: initial }),
    },
  };
}

function menu(label: string, id: string, options: PlainTextOption[], usual: string): InputBlock {
  const offered = options.slice(0, limits.select.options);
  const initial = offered.find(({ value }) => value === usual);
  return {
    type: 'input',
    block_id: id,
    label: plain(label),
    element: {
      type: 'static_select',
      action_id: id,
      options: offered,
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
  };
}

function option(text: string, value: string): PlainTextOption {
  return { text: plain(shorten(text, limits.option.text)), value };
}

function plain(text: string) {
  return { type: 'plain_text', text } as const;
}

const carried = z.object({ channel: z.string() });

/** Where the form was opened. */
function formPlace({ metadata }: Pick<Submission, 'metadata'>): Place {
  return { channel: carried.parse(JSON.parse(metadata)).channel, threadTs: null };
}

/** What stands in the form. */
function readWatchForm(submission: Submission): WatchForm {
  const { chosen, texts } = submission;
  return {
    place: formPlace(submission).channel,
    status: chosen.status ?? texts.status ?? '',
    threshold: texts.threshold ?? '',
    filter: texts.filter ?? '',
    calendar: chosen.calendar ?? '',
    tells: chosen.tells === 'owner' ? 'owner' : 'assignee',
  };
}

/** The watch that was wished for in it. What is wrong is a `bad-request`. */
async function watchOfForm(
  { status, threshold, filter, calendar, tells }: WatchForm,
  asking: ParserContext,
  statuses: readonly Status[],
): Promise<ReadWatch> {
  const definition = asking.calendars.find((one) => calendarIdOf(one) === calendar);
  if (definition === undefined)
    throw badRequestAs('unknown-name', `The calendar '${calendar}' is gone. Try: another one.`);
  const read = readThreshold(threshold, calendarOf(definition));
  if (read === null) throw badRequest(`'${threshold}' is no time I know. Try: ${allowedThresholds}.`);
  const { selection, title, remark } = await filterOrDefault(wordsOf(filter), asking);
  return {
    wish: {
      selection,
      title: shorten(title, LONGEST_TITLE),
      status: readStatus(status, statuses),
      threshold: read.threshold,
      calendar,
      timeZone: asking.hours.timeZone,
      tells,
    },
    remarks: [read.remark, remark].filter((one) => one !== null),
  };
}
