import { z } from 'zod';
import { shorten } from '../../block-kit/shorten.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { Status } from '../../model/issue.ts';
import type { ParserContext } from '../../questions/parse/parser-context.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { filterOrDefault } from '../../questions/parse/read-filter.ts';
import { wordsOf } from '../../questions/parse/typed-words.ts';
import { calendarOf } from '../../time/calendar.ts';
import type { Place } from '../command.ts';
import type { Submission } from '../modal.ts';
import { readStatus } from './read-status.ts';
import { allowedThresholds, readThreshold } from './read-threshold.ts';
import { LONGEST_TITLE, type ReadWatch } from './read-watch-words.ts';
import type { WatchForm } from './watch-form-view.ts';

const carried = z.object({ channel: z.string() });

/** Where the form was opened. */
export function formPlace({ metadata }: Pick<Submission, 'metadata'>): Place {
  return { channel: carried.parse(JSON.parse(metadata)).channel, threadTs: null };
}

/** What stands in the form. */
export function readWatchForm(submission: Submission): WatchForm {
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
export async function watchOfForm(
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
