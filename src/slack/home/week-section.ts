import type { Mine } from '../../api/answers/aging/aging-answer.ts';
import type { WeeklyAggregates } from '../../api/answers/weekly/weekly-answer.ts';
import { weeklyKind } from '../../api/answers/weekly/weekly-kind.ts';
import { compareText } from '../../model/issues/ids-and-names.ts';
import { closedTo, type Principal } from '../../model/request.ts';
import { changeText, countWords, timeText } from '../../output/figure-words.ts';
import { shorten } from '../../output/readable-text.ts';
import { dayMsOf, dayRange } from '../../output/wording.ts';
import { hoursHere } from '../app/hours-here.ts';
import type { HomeParts } from '../app/parts.ts';
import { usualProjects } from '../ask/parser-context-of.ts';
import type { MessageBlock } from '../blocks/message.ts';
import { button, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { type ProjectWeek, partFailure, type Weeks } from './home-content.ts';

const PROJECT_LENGTH = 60;

/** The title of the part. */
export const weekTitle = 'Your week';

/** The last whole week of someone's projects: three figures each, and the way to all of it. */
export function weekBlocks({ weeks, chosen }: Weeks): readonly MessageBlock[] {
  const which = chosen ? '' : ' · where most of your issues are';
  const none =
    "\nNo issue is assigned to you, so I don't know which projects are yours. *Choose projects* sets them.";
  return [
    section(
      `*${weekTitle}*${weeks.length === 0 ? none : which}`,
      button('Choose projects', 'run-line', '/tis settings'),
    ),
    ...weeks.flatMap(projectBlocks),
  ];
}

function projectBlocks(one: ProjectWeek): readonly MessageBlock[] {
  const project = shorten(one.project, PROJECT_LENGTH);
  const name = `*${escapeMrkdwn(project)}*`;
  if ('why' in one) return [section(name), ...one.why.blocks.slice(0, 1)];
  const { week, provenance } = one.weekly;
  const { timeZone } = provenance;
  const number = Number(week.id.slice(week.id.indexOf('W') + 1));
  const days = dayRange(week.start, week.end - 1, { timeZone, near: provenance.asOf });
  const cut = provenance.complete ? '' : ' · some histories are cut';
  return [
    {
      ...section(`${name} · week ${number} (${days})${cut}`),
      fields: fieldsOf(one.weekly),
      accessory: button('Open', 'run-line', `/tis weekly ${project}`),
    },
  ];
}

/** Percentiles of one issue would say nothing. */
function fieldsOf({ finished, cycleTime, provenance }: WeeklyAggregates) {
  const dayMs = dayMsOf(provenance.calendar);
  const time = (ms: number) => timeText(ms, dayMs);
  const { week, weekBefore, eightWeeks } = cycleTime;
  const named = finished.week === null ? 'Finished: unknown' : `${countWords(finished.week)} finished`;
  const count = field(named, finished, countWords, 'count', 'average');
  if (week.medianMs === null || week.p85Ms === null) return [count];
  const alone = { week: null, weekBefore: null, eightWeeks: null };
  if (week.count === 1)
    return [count, field(`Cycle time ${time(week.medianMs)}`, alone, time, 'time', 'median')];
  const weeksOf = (name: 'median' | 'p85') => {
    return {
      week: week[`${name}Ms` as const],
      weekBefore: weekBefore[`${name}Ms` as const],
      eightWeeks: eightWeeks[`${name}Ms` as const],
    };
  };
  return [
    count,
    field(`Median cycle time ${time(week.medianMs)}`, weeksOf('median'), time, 'time', 'median'),
    field(`p85 ${time(week.p85Ms)}`, weeksOf('p85'), time, 'time', 'p85'),
  ];
}

/** A figure with its change; nothing is compared with a week that is unknown. */
function field(
  figure: string,
  { week, weekBefore, eightWeeks }: WeeklyAggregates['finished'],
  write: (value: number) => string,
  unit: 'count' | 'time',
  of: 'average' | 'median' | 'p85',
) {
  const change = changeText(week, weekBefore, write, unit);
  const average = week === null || eightWeeks === null ? '' : `\n8-week ${of} ${write(eightWeeks)}`;
  const text = `*${figure}*${change === null ? '' : ` ${change}`}${average}`;
  return { type: 'mrkdwn', text, verbatim: true } as const;
}

/** The most projects whose week is shown, where they are chosen, and where they are guessed from the issues. */
const MAX_CHOSEN = 5;
const MAX_GUESSED = 3;

/** The last whole week of the projects someone chose, else of those most of their open issues are in. */
export async function findWeeks(
  account: string,
  { principal, mine }: { readonly principal: Principal; readonly mine: Mine | null },
  parts: HomeParts,
): Promise<Weeks> {
  const { projects: preferred } = await parts.channels.preferences(account);
  const isClosed = closedTo(await parts.reporting.browseScope(principal));
  // Those they can still see.
  const own = (preferred ?? []).filter((key) => !isClosed?.(key)).slice(0, MAX_CHOSEN);
  const chosen = own.length > 0;
  const projects = chosen ? own : (await guessed(account, principal, mine, parts)).slice(0, MAX_GUESSED);
  const hours = await hoursHere({ channel: account }, account, parts);
  const weeks = await Promise.all(
    projects.map(async (project): Promise<ProjectWeek> => {
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
  return { weeks, chosen };
}

/** A person's projects, those with most of their open issues first; without any, the usual ones. */
async function guessed(
  account: string,
  principal: Principal,
  mine: Mine | null,
  parts: Pick<HomeParts, 'channels' | 'reporting'>,
): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for (const { project } of mine?.own.issues ?? []) counts.set(project, (counts.get(project) ?? 0) + 1);
  const inOrder = [...counts].toSorted(([a, many], [b, others]) => others - many || compareText(a, b));
  if (inOrder.length > 0) return inOrder.map(([project]) => project);
  return (await usualProjects({ channel: account }, account, principal, parts))?.projects ?? [];
}
