import type { SectionBlock } from '@slack/types';
import type { MessageBlock } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Compared, DurationFigures, WeeklyAggregates } from '../../model/answer.ts';
import { dayMsOf, dayNote } from '../../questions/view/day-length.ts';
import {
  against,
  countOf,
  countOrUnknown,
  finishedChanges,
  timeChange,
  timeText,
} from '../../questions/view/figure-words.ts';
import { weekText } from '../../questions/weekly/week-text.ts';
import { button } from '../messages/button.ts';
import type { ProjectWeek, Weeks } from './home-content.ts';

const PROJECT_LENGTH = 60;
const BEFORE = 'the week before';

/** The title of the part. */
export const weeksTitle = 'Your teams’ last week';

/** The last whole week of somebody's projects, each with the way to all of it. `isKnown`: in the tracker. */
export function weekBlocks({ weeks, chosen, more }: Weeks, isKnown: boolean): readonly MessageBlock[] {
  if (weeks.length === 0) {
    const why = isKnown
      ? 'No issue is assigned to you, so I do not know which projects are yours. *Settings* below takes up to five.'
      : 'Link yourself, and your projects stand here; or choose up to five in *Settings* below.';
    return [section(`*${weeksTitle}*\n${why}`)];
  }
  const note =
    weeks.flatMap((one) => ('weekly' in one ? [dayNote(one.weekly.provenance.calendar)] : []))[0] ?? null;
  const why = chosen
    ? 'The projects you chose'
    : 'The projects most of your issues are in; *Settings* takes others';
  const rest = more > 0 ? `; ${countOf(more, 'more')} not shown` : '';
  return [
    section(`*${weeksTitle}*`),
    ...weeks.flatMap(projectBlocks),
    context(`${why}${rest}.${note === null ? '' : ` ${escapeMrkdwn(capital(note))}.`}`),
  ];
}

function projectBlocks(one: ProjectWeek): readonly MessageBlock[] {
  const project = shorten(one.project, PROJECT_LENGTH);
  const name = escapeMrkdwn(project);
  if ('why' in one) return [section(`*${name}* cannot be told.`), ...one.why.blocks.slice(0, 1)];
  const { week, timeZone, provenance } = one.weekly;
  const cut = provenance.complete ? '' : ' Not every history behind it is complete.';
  const title = `*${name}*, ${weekText(week, timeZone, provenance.asOf)}.${cut}`;
  return [
    {
      ...section(title),
      fields: fieldsOf(one.weekly),
      accessory: button('Whole week', 'home-ask', `/tis weekly ${project}`),
    },
  ];
}

function fieldsOf({
  finished,
  cycleTime,
  provenance,
}: WeeklyAggregates): NonNullable<SectionBlock['fields']> {
  const dayMs = dayMsOf(provenance.calendar);
  return [
    field('Finished', countOrUnknown(finished.week), finishedChanges(finished)),
    timeField('Cycle time, median', cycleTime, ({ median }) => median, dayMs),
    timeField('Cycle time, 85 % within', cycleTime, ({ p85 }) => p85, dayMs),
  ];
}

function timeField(
  title: string,
  { week, weekBefore, eightWeeks }: Compared<DurationFigures>,
  of: (spread: DurationFigures) => number | null,
  dayMs: number,
) {
  const before = timeChange(of(week), of(weekBefore), dayMs);
  const long = timeChange(of(week), of(eightWeeks), dayMs);
  return field(title, of(week) === null ? 'none known' : timeText(of(week), dayMs), [
    ...(before === null ? [] : [against(before, BEFORE)]),
    ...(long === null
      ? []
      : [against(long, `in the eight weeks before (${timeText(of(eightWeeks), dayMs)})`)]),
  ]);
}

function field(title: string, figure: string, changes: readonly string[]) {
  return { type: 'mrkdwn', text: [`*${title}: ${figure}*`, ...changes].join('\n'), verbatim: true } as const;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
