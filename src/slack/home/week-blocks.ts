import type { SectionBlock } from '@slack/types';
import type { MessageBlock } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { closedTo } from '../../issues/browse-scope.ts';
import { compareText } from '../../issues/ids-and-names.ts';
import type { Compared, DurationFigures, Mine, WeeklyAggregates } from '../../model/answer.ts';
import type { Principal } from '../../model/principal.ts';
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
import { weeklyKind } from '../../questions/weekly/weekly-kind.ts';
import { hoursHere } from '../app/hours-here.ts';
import { button } from '../app/message-texts.ts';
import type { HomeParts, SlackParts } from '../app/parts.ts';
import { usualProjects } from '../ask/read-question.ts';
import type { ProjectWeek, Weeks } from './home-content.ts';
import { partFailure } from './home-content.ts';
import { MOST_PROJECTS } from './home-settings.ts';

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

/** So many are told where nobody chose. */
const MOST_GUESSED = 3;

/** The last whole week of the projects somebody chose, else of those most of their open issues are in. */
export async function findWeeks(
  account: string,
  { principal, mine }: { readonly principal: Principal; readonly mine: Mine | null },
  parts: HomeParts,
): Promise<Weeks> {
  const chosen = await chosenBy(account, principal, parts);
  const own = chosen ?? (await guessed(account, principal, mine, parts));
  const shown = own.slice(0, chosen === null ? MOST_GUESSED : MOST_PROJECTS);
  const hours = await hoursHere({ channel: account }, account, parts);
  const weeks = await Promise.all(
    shown.map(async (project): Promise<ProjectWeek> => {
      const selection = { by: 'project', project } as const;
      try {
        const question = { kind: 'weekly', selection, week: 'last', ...hours } as const;
        const { value } = await parts.answers.ask(weeklyKind, principal, question);
        return { project, weekly: value };
      } catch (error) {
        return { project, why: partFailure(error, { home: 'weeks', project }, parts.log) };
      }
    }),
  );
  return { weeks, chosen: chosen !== null, more: chosen === null ? 0 : own.length - shown.length };
}

/** What somebody chose of what they may still see; null where that is nothing. */
async function chosenBy(
  account: string,
  principal: Principal,
  parts: Pick<SlackParts, 'channels' | 'reporting'>,
): Promise<readonly string[] | null> {
  const { projects } = await parts.channels.preferences(account);
  if (projects === null) return null;
  const isClosed = closedTo(await parts.reporting.browseScope(principal));
  const seen = projects.filter((key) => !isClosed?.(key));
  return seen.length === 0 && projects.length > 0 ? null : seen;
}

/** Where most open issues are; without any, where most of the issues are that somebody ever had. */
async function guessed(
  account: string,
  principal: Principal,
  mine: Mine | null,
  parts: Pick<SlackParts, 'channels' | 'reporting'>,
): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for (const { project } of mine?.own.issues ?? []) counts.set(project, (counts.get(project) ?? 0) + 1);
  if (counts.size > 0) {
    const inOrder = [...counts].toSorted(([a, many], [b, others]) => others - many || compareText(a, b));
    return inOrder.map(([project]) => project);
  }
  return (await usualProjects({ channel: account }, account, principal, parts))?.projects ?? [];
}
