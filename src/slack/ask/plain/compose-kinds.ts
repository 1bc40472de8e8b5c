import { isDeepStrictEqual } from 'node:util';
import { asLiteral } from '../../../api/reporting/query-text.ts';
import type { Status } from '../../../model/issue.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { codeText } from '../../blocks/mrkdwn.ts';
import {
  asList,
  type Composed,
  composed,
  contentOf,
  filterLine,
  hourKinds,
  isComparedStatistic,
  lineOf,
  mayBeName,
  narrowing,
  narrowKinds,
  rangeLine,
  type SentenceContent,
  statusesOf,
  tailsLine,
  timeClauses,
  weekOf,
} from './compose.ts';
import { type Found, isNegated, type Slot, using } from './sentence.ts';
import { unmovedSince } from './spot-conditions.ts';
import type { Intent } from './vocabulary.ts';

/** Issues by their keys. Of most that is asked about one the answer shows all; what it does not show is unused. */
export function issueLine(content: SentenceContent): Composed {
  const keys = [...new Set(content.of('key').map(({ key }) => key))];
  const by = keys.length === 1 ? issueBy(content) : '';
  const projects = keys.map((key) => projectKeyOf({ key }).toLowerCase());
  const isUsed = using('key', 'change', ...hourKinds);
  const isShown = (slot: Slot) =>
    isUsed(slot) ||
    (slot.kind === 'intent' && !notOfIssues(slot)) ||
    (slot.kind === 'value' && slot.field === 'status' && slot.operator === '=') ||
    (slot.kind === 'project' && projects.includes(slot.name.toLowerCase())) ||
    (by !== '' && using('group', 'person')(slot));
  return composed(lineOf(...keys, by, tailsLine(content, ...hourKinds)), content, isShown);
}

const notOfIssues = using(
  ...(['compare', 'trend', 'better', 'share', 'rank'] as const),
  ...(['weekly', 'sprintReport', 'before', 'savedReport', 'mine'] as const),
);

/** The words that divide the time of one issue: by its moves, by the people who had it, or (empty) by status. */
function issueBy(content: SentenceContent): string {
  const { of, asks, has } = content;
  const status = of('change')[0]?.to ?? of('value').find(({ field }) => field === 'status')?.value;
  // When and by whom an issue was finished is in its first answer.
  if (asks('when', 'mover') && (status !== undefined || !asks('finished')))
    return lineOf('by history', status === undefined ? '' : `to ${asLiteral(status)}`);
  const isByPerson =
    (asks('people') && !asks('finished')) ||
    has('person') ||
    of('group').some(({ words }) => /assignee/.test(words));
  if (!isByPerson) return '';
  return `by ${status !== undefined && asks('people') ? reportIds.statusDurationByAssignee : 'assignee'}`;
}

/** A saved report by its name. */
export function savedLine(content: SentenceContent): Composed {
  const line = `saved ${asLiteral(content.of('saved')[0]?.name ?? '')}`;
  return composed(line, content, using('saved', 'savedReport'));
}

/** True if a sentence is about what happened to issues of the person who writes, and not about how they are now. */
export function isOfTime({ asks }: SentenceContent): boolean {
  return asks('finished', 'created', 'updated') && !asks('aging');
}

/** The same with the person instead of `mine`: of issues at a time a list is wanted. */
export async function withSelf(content: SentenceContent): Promise<SentenceContent> {
  const { all, context, asks, has } = content;
  const { id } = await context.self();
  const found = all.map(
    (one): Found =>
      using('mine')(one.slot) ? { ...one, slot: { kind: 'person', id, field: 'assignee' } } : one,
  );
  const isFigure = has('statistic', 'group') || asks('cycle', 'count');
  return isFigure ? contentOf({ found, context }) : asList(contentOf({ found, context }));
}

/** The line for the issues that are assigned to the person who writes. */
export function mineLine(content: SentenceContent): Composed {
  const isUsed = using('project', 'value');
  return composed(
    lineOf(
      'mine',
      filterLine({ intents: new Set() }, narrowing(content).filter(isUsed)),
      tailsLine(content, ...hourKinds),
    ),
    content,
    using('project', 'value', ...hourKinds, 'mine', 'aging', 'open', 'started', 'range'),
    {
      assumed: content
        .of('range')
        .slice(0, 1)
        .map(({ words }) => `This is how they are now: I left out ${codeText(words)}.`),
    },
  );
}

/** True if a sentence is about a week. */
export function isWeekly({ of, asks, has, intents }: SentenceContent): boolean {
  const [range] = of('range');
  const isWeek =
    range !== undefined &&
    (weeks.test(range.words) || /^week (?:of|beginning|starting|from) /i.test(range.words));
  if (has('statistic', 'group') || (asks('list') && asks('finished'))) return false;
  if (asks('count', 'cycle', 'trend') || has('change')) return asks('weekly');
  return asks('weekly') || (isWeek && (asks('how') || intents.size === 0));
}

const weeks = /^(?:(?:the )?(?:this|last|past|previous|current) week|(?:\d{4}-?)?w\d{1,2}|week \d{1,2})$/i;

/** The summary of a week. */
export function weeklyLine(content: SentenceContent): Composed {
  const [range] = content.of('range');
  const named = range?.words ?? '';
  const week = weeks.test(named)
    ? named.replace(/^(?:past|previous)/i, 'last').replace(/^current/i, 'this')
    : (weekOf(named, content.context) ?? '');
  const isUsed = using(...narrowKinds, ...hourKinds, 'weekly', 'before');
  return composed(
    lineOf('weekly', filterLine(content, narrowing(content)), week, tailsLine(content, ...hourKinds)),
    content,
    (slot) => isUsed(slot) || (slot.kind === 'range' && week !== ''),
  );
}

/** True if a sentence is about a sprint, and nothing else. */
export function isSprintReport({ all, of, asks, has }: SentenceContent): boolean {
  const isNamed = of('sprint').length === 1 || of('sprintWord').length === 1 || asks('sprintReport');
  const isOther =
    has('statistic', 'group', 'value', 'clause', 'person', 'range') ||
    asks('aging', 'cycle', 'open', 'started', 'waiting', 'trend', 'mine', 'weekly', 'rank', 'share');
  return isNamed && !isOther && !all.some(({ slot }) => isNegated(slot));
}

/** The report of a sprint. */
export function sprintLine(content: SentenceContent): Composed {
  const { of } = content;
  const [sprint, word, project] = [of('sprint')[0], of('sprintWord')[0], of('project')[0]];
  const which =
    sprint !== undefined
      ? asLiteral(sprint.name)
      : lineOf(word?.which === 'last' ? 'last' : '', project?.name ?? '');
  const isUsed = using('sprint', 'sprintWord', ...hourKinds, 'sprintReport', 'before', 'compare');
  return composed(
    lineOf('sprint', which, tailsLine(content, ...hourKinds)),
    content,
    (slot) => isUsed(slot) || (slot.kind === 'project' && of('project').length === 1),
  );
}

/**
 * The scope of a question about open issues; `withBacklog`: those that are not started belong to it. Null for another
 * question.
 */
export function stateOf(
  content: SentenceContent,
  known: readonly Status[],
): { readonly withBacklog: boolean } | null {
  const { of, asks, has } = content;
  const statuses = statusesOf(content);
  const isAboutTime = has('statistic', 'group') || asks('cycle', 'trend');
  // Issues in a status, and when they were created at most, are those that are there now.
  const isBare = !isAboutTime && !asks('time', 'take', 'compare') && (!has('range') || asks('created'));
  const isNow = !isAboutTime && asks('now') && !has('range');
  const isState =
    asks('aging', 'open', 'started', 'waiting', 'unassigned') ||
    of('clause').some(({ state }) => state) ||
    (statuses.length > 0 && (isNow || isBare));
  if (!isState || (isAboutTime && !asks('aging')) || isOpenCount(content)) return null;
  if (asks('finished') && !asks('aging') && has('range')) return null;
  const isUnstarted = statuses.some(({ value }) =>
    known.some(({ name, category }) => name === value && category === 'To Do'),
  );
  // Issues that were created long ago or are due need not be started.
  const isAnyOpen = of('clause').some(({ jql }) => /^(?:due|created) /.test(jql));
  return { withBacklog: isUnstarted || isAnyOpen || asks('open', 'waiting', 'unassigned') };
}

const openClauses: readonly (readonly [Intent, string])[] = [
  ['open', 'statusCategory != Done'],
  ['started', 'statusCategory = "In Progress"'],
  ['waiting', 'statusCategory = "To Do"'],
  ['unassigned', 'assignee is EMPTY AND statusCategory != Done'],
];

/** True if open issues are counted by a field or by person, and not listed: `who has the most open tickets`. */
export function isOpenCount(content: SentenceContent): boolean {
  const { asks, has } = content;
  const isOther =
    has('range', 'statistic', 'sprintWord') ||
    asks('aging', 'cycle', 'lead', 'trend', 'time', 'take', 'compare', 'finished', 'rank');
  const isByPerson = asks('people') && !has('person') && !asks('list');
  const isGrouped = has('group') || (isByPerson && asks('open'));
  return !isOther && isGrouped && openClausesOf(content).length > 0;
}

/** The conditions under which the issues that were named are open. */
export function openClausesOf({ asks }: SentenceContent): readonly Slot[] {
  return openClauses.flatMap(([intent, jql]) =>
    asks(intent) ? [{ kind: 'clause' as const, jql, state: true }] : [],
  );
}

const ofOpen = [
  ...(['aging', 'open', 'started', 'waiting', 'unassigned', 'created'] as const),
  ...(['sprintReport', 'rank', 'before'] as const),
];

/** Open issues by how long they have been where they are. */
export function agingLine(
  content: SentenceContent,
  { withBacklog }: { readonly withBacklog: boolean },
): Composed {
  const { of, asks, context } = content;
  const clauses = [
    ...(asks('unassigned') ? ['assignee is EMPTY'] : []),
    ...(asks('waiting') ? ['statusCategory = "To Do"'] : []),
  ];
  const [range] = of('range');
  if (range !== undefined && asks('created')) clauses.push(...timeClauses(range.words, 'created', context));
  if (range !== undefined && !asks('created') && /^since /.test(range.words)) {
    const [since = ''] = timeClauses(range.words, 'updated', context);
    const first = since.replace(/^updated >= /, '');
    clauses.push(asks('open') ? `created < ${first}` : unmovedSince(first));
  }
  const isTimed = asks('created') || /^since /.test(range?.words ?? '');
  const [sprint] = of('sprintWord');
  if (sprint !== undefined)
    clauses.push(sprint.which === 'this' ? 'sprint in openSprints()' : 'sprint in closedSprints()');
  const slots = clauses.map((jql): Slot => ({ kind: 'clause', jql, state: true }));
  const filter = filterLine(content, [...narrowing(content), ...slots]);
  const isUsed = using(...narrowKinds, ...hourKinds, 'sprintWord', ...ofOpen);
  return composed(
    lineOf('aging', filter, withBacklog ? 'with backlog' : '', tailsLine(content, ...hourKinds)),
    content,
    (slot) => isUsed(slot) || (slot.kind === 'range' && isTimed),
  );
}

/** Two of one kind that are compared, everything they share, and what differs besides. */
interface Sides {
  readonly sides: readonly [Found, Found];
  readonly shared: readonly Found[];
  readonly others: readonly Found[];
}

/** Two projects, times, people, sprints or values of one field that are said beside a word for comparing. */
export function sidesOf({ all, asks }: SentenceContent): Sides | null {
  if (!asks('compare')) return null;
  const isOfSide = using('range', 'project', 'person', 'sprint', 'value');
  const isSide = ({ slot }: Found) =>
    isOfSide(slot) &&
    !isNegated(slot) &&
    // The times in two statuses are of the same issues.
    !(slot.kind === 'value' && slot.field === 'status');
  const kindOf = ({ slot }: Found) => (slot.kind === 'value' ? `${slot.field}${slot.operator}` : slot.kind);
  const pairs = [...Map.groupBy(all.filter(isSide), kindOf).values()].filter(
    ([one, other, ...more]) =>
      other !== undefined && more.length === 0 && !isDeepStrictEqual(one?.slot, other.slot),
  );
  const at = all.find(({ slot }) => using('compare')(slot))?.start ?? 0;
  const distance = (pair: readonly Found[]) => Math.min(...pair.map(({ start }) => Math.abs(start - at)));
  const [nearest, ...more] = pairs.toSorted((a, b) => distance(a) - distance(b));
  const [one, other] = nearest ?? [];
  if (one === undefined || other === undefined) return null;
  // `WEB and APP` are both on both sides; a bug here and a story there is one each.
  const others = more
    .filter(([first, second]) => first?.slot.kind === 'range' || (second?.start ?? 0) - (first?.end ?? 0) > 1)
    .flat();
  const shared = all.filter((found) => found !== one && found !== other && !others.includes(found));
  return { sides: [one, other], shared, others };
}

/** Two sides beside each other. */
export function compareLine(content: SentenceContent, { sides, shared, others }: Sides): Composed {
  const { context, of, intents } = content;
  const lines = sides.map((side) => {
    const own = contentOf({ found: [...shared, side], context });
    const when = rangeLine(own);
    const issues = filterLine({ intents }, narrowing(own, statusesOf(content)), mayBeName(when, context));
    return lineOf(issues, when);
  });
  const line = measured(content, `compare ${lines.join(' with ')}`, 2, others);
  const isOther = of('statistic').some(({ words }) => !isComparedStatistic(words));
  return isOther ? { ...line, reason: 'Two sides are compared by average, median or p85.' } : line;
}

/** The running or last period that is said to be better than another; null where there is none. */
export function periodOf(content: SentenceContent): string | null {
  const { of, asks } = content;
  const [range, ...others] = of('range');
  const [, period] = /^(?:this|last) (week|month|quarter|year)$/i.exec(range?.words ?? '') ?? [];
  // Several projects, sprints, people or statuses are compared themselves, and not the periods.
  const isOther = [of('project'), of('sprint'), of('person'), statusesOf(content)].some(
    (some) => some.length > 1,
  );
  return asks('better', 'compare') && !isOther && others.length === 0 && period !== undefined
    ? period.toLowerCase()
    : null;
}

/** True if one project is compared with nothing: two months of it are offered. */
export function lacksSide({ of, asks, all }: SentenceContent): boolean {
  return asks('compare') && of('project').length === 1 && all.length === 2;
}

/** The last period beside the running one. */
export function periodsLine(content: SentenceContent, period: string): Composed {
  const issues = filterLine(content, narrowing(content, statusesOf(content)));
  return measured(content, lineOf('compare', issues, `last ${period} with this ${period}`), 1);
}

/** A comparison with what its sides are compared by. `ranges` is how many times it has: two that are named, or a period. */
function measured(
  content: SentenceContent,
  line: string,
  ranges: number,
  others: readonly Found[] = [],
): Composed {
  const [status, ...statuses] = statusesOf(content);
  const statistic = content.of('statistic').find(({ words }) => isComparedStatistic(words));
  const measure = status === undefined ? '' : `time in ${asLiteral(status.value)}`;
  const isUsed = using(
    ...([...narrowKinds, ...hourKinds, 'range', 'compare', 'better', 'cycle', 'trend', 'before'] as const),
    ...(ranges === 2 ? (['sprintWord', 'created', 'updated', 'open'] as const) : []),
  );
  return composed(
    lineOf(line, measure, statistic?.words ?? '', tailsLine(content, ...hourKinds)),
    content,
    (slot) => isUsed(slot) || (slot.kind === 'statistic' && isComparedStatistic(slot.words)),
    { ranges, others: [...others, ...statuses.map(({ at }) => at)] },
  );
}
