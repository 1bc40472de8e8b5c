import { asLiteral } from '../../../api/reporting/query-text.ts';
import type { Status } from '../../../model/issue.ts';
import { cycleProblem } from '../../answers/report/read-report.ts';
import {
  asList,
  type Composed,
  changeWithin,
  composed,
  contentOf,
  filterLine,
  hasPeriod,
  hourKinds,
  isCycleStatistic,
  lineOf,
  mayBeName,
  narrowing,
  narrowKinds,
  rangeLine,
  rangeVerb,
  type SentenceContent,
  statusesOf,
  tailsLine,
} from './compose.ts';
import { isOpenCount, openClausesOf } from './compose-kinds.ts';
import { type Found, isNegated, type Slot, using } from './sentence.ts';
import { valueName } from './spot-values.ts';

/** True if a sentence is about the time between two statuses, and not about the moves. */
function isBetween({ asks, has }: SentenceContent): boolean {
  return has('statistic') || asks('time', 'take', 'cycle');
}

/**
 * True if a change is from the start of work, which is the first status in progress or the one called so, to its end:
 * then the time between them is the cycle time.
 */
export function isWholeWay(content: SentenceContent, statuses: readonly Status[]): boolean {
  const [change] = content.of('change');
  const starts = ['In Progress', statuses.find(({ category }) => category === 'In Progress')?.name];
  const ends = statuses.filter(({ category }) => category === 'Done').map(({ name }) => name);
  return (
    change !== undefined &&
    isBetween(content) &&
    change.from !== null &&
    starts.includes(change.from) &&
    ends.includes(change.to)
  );
}

/** Issues that were moved from one status to another; null where no move is asked about. */
export function moveLine(content: SentenceContent, statuses: readonly Status[]): Composed | null {
  const { of, asks } = content;
  const [change] = of('change');
  const isReopened = asks('reopened');
  if (!isReopened && (change === undefined || isBetween(content))) return null;
  const named = (isDone: boolean) => {
    const some = statuses.filter(({ category }) => (category === 'Done') === isDone);
    return `(${[...new Set(some.map(({ name }) => asLiteral(name)))].join(', ')})`;
  };
  const [from, to] =
    isReopened || change === undefined
      ? [named(true), named(false)]
      : [change.from === null ? null : asLiteral(change.from), asLiteral(change.to)];
  const within = changeWithin(content);
  const movers = of('person').filter((one) => one.isBy === true && !isNegated(one));
  const names = movers.map(({ id }) => asLiteral(id)).join(', ');
  const by = movers.length > 1 ? ` BY (${names})` : movers.length > 0 ? ` BY ${names}` : '';
  const jql = `status CHANGED${by}${from === null ? '' : ` FROM ${from}`} TO ${to}${within}`;
  const filter = filterLine(content, [...narrowing(content, movers), { kind: 'clause', jql, state: false }]);
  if (isReopened || change === undefined)
    return composed(lineOf(filter, 'list'), content, using(...narrowKinds, 'range', 'reopened'), {
      assumed: ['Those are the issues that went from a status of category Done to another one.'],
    });
  const isUsed = using(...narrowKinds, 'change', 'range', 'visits', 'rank');
  if (change.from === null && !asks('visits')) return composed(lineOf(filter, 'list'), content, isUsed);
  const when = within === '' ? '' : ' in that time';
  const way = `${change.from === null ? '' : `from ${change.from} `}to ${change.to}`;
  return composed(lineOf(filter, 'by transitionCount', 'sum'), content, isUsed, {
    assumed: [`Those are the issues that went ${way}${when}; the table counts all of their moves.`],
  });
}

/** Issues by the statuses they were in at a time: `in QA last week`. Null where that is not asked. */
export function wasLine(content: SentenceContent, known: readonly Status[]): Composed | null {
  const { of, asks, has } = content;
  const done = known.filter(({ category }) => category === 'Done').map(({ name }) => name);
  const past = of('value').filter(
    ({ field, value, operator }) => field === 'status' && (operator === '!=' || !done.includes(value)),
  );
  const isOther =
    has('statistic', 'group', 'change') ||
    asks('time', 'take', 'cycle', 'lead', 'trend', 'better', 'compare', 'rank', 'visits') ||
    asks('finished', 'created', 'updated');
  if (isOther || !has('range') || past.length === 0) return null;
  const within = changeWithin(content).replace(
    /^ AFTER (.+?)(?: BEFORE (.+))?$/,
    (_, from, to = 'now()') => ` DURING (${from}, ${to})`,
  );
  const clauses = Map.groupBy(past, ({ operator }) => (operator === '!=' ? 'WAS NOT' : 'WAS'))
    .entries()
    .map(([was, some]): Slot => {
      const names = [...new Set(some.map(({ value }) => valueName(value)))].join(', ');
      const jql = `status ${was} ${some.length > 1 ? `IN (${names})` : names}${within}`;
      return { kind: 'clause', jql, state: false };
    });
  const filter = filterLine(content, [...narrowing(content, past), ...clauses]);
  const by = asks('people') && !has('person') ? 'by assignee' : asks('list') ? 'list' : '';
  return composed(
    lineOf(filter, by, tailsLine(content, ...hourKinds)),
    content,
    using(...narrowKinds, ...hourKinds, 'range'),
  );
}

/** A report of finished issues, or of those that were created in a time. */
export async function reportLine(content: SentenceContent, isWay: boolean): Promise<Composed> {
  const { of, asks, context } = content;
  const [focus, ...more] = statusesOf(content);
  const statistic = of('statistic')[0]?.words;
  // The number of issues in a status says nothing of their time.
  const isCount = asks('count') && !isBetween(content);
  const isOne = more.length === 0 || isBetween(content) || asks('compare');
  const focused = isOne && !isCount ? focus : undefined;
  const verb = rangeVerb(content);
  // A report shows the time in one status, and not who updated an issue.
  const updaters = verb === 'updated' ? of('person').filter(({ isBy }) => isBy === true) : [];
  const others = [...(isOne ? more : []), ...updaters];
  const isOpen = isOpenCount(content);
  const groups = of('group').map(({ words }) => words);
  const isTrend = asks('trend', 'better') && !(await hasPeriod(groups, context));
  const hasPeople = of('person').some((one) => !isNegated(one));
  const isByPerson = asks('people') && !hasPeople && groups.length === 0;
  const who = of('intent').find(({ intent }) => intent === 'people')?.at.end;
  const isReported = of('intent').some(({ intent, at }) => intent === 'created' && at.start === who);
  const byPerson = isReported ? 'by reporter' : 'by assignee';
  const grouping = isTrend ? [...groups, 'by month'] : isByPerson ? [byPerson] : groups;
  const isPeriodTrend = await hasPeriod(grouping, context);
  // Without a time there is no trend of finished issues.
  const isLong =
    isPeriodTrend && focused === undefined && (asks('cycle', 'lead') || (isTrend && statistic === undefined));
  const when = rangeLine(content) || (isLong ? 'last 12 months' : '');
  const isWhole = grouping.length === 0;
  const isRanked = asks('rank');
  const isCycle =
    (asks('cycle', 'lead') || isWay || asks('take')) &&
    !isRanked &&
    isWhole &&
    focused === undefined &&
    isCycleStatistic(statistic);
  const isList =
    (isRanked || (asks('list') && (asks('finished') || (when !== '' && asks('created', 'updated'))))) &&
    statistic === undefined &&
    isWhole &&
    !isCycle &&
    !asks('count');
  const isDone = asks('finished') && (when === '' || verb === 'created' || verb === 'updated');
  const clauses = [
    ...(isOpen ? openClausesOf(content) : []),
    ...((isDone && !isCycle) || (isList && when === '')
      ? [{ kind: 'clause', jql: 'statusCategory = Done', state: false } as const]
      : []),
  ];
  const isQuery = isCycle || focused !== undefined || mayBeName(when, context);
  const line = lineOf(
    filterLine(
      content,
      [...narrowing(content, focused === undefined ? others : [focused, ...others]), ...clauses],
      isQuery,
    ),
    when,
    ...grouping,
    asks('visits') && isWhole ? 'by statusCount' : '',
    focused === undefined ? '' : `time in ${asLiteral(focused.value)}`,
    isCycle ? 'cycle time' : '',
    isList ? 'list' : '',
    tailsLine(content, 'statistic', ...hourKinds),
  );
  const isUsed = using(
    ...([...narrowKinds, ...hourKinds, 'statistic', 'range', 'sprintWord', 'group'] as const),
    ...(['trend', 'better', 'visits'] as const),
    ...(isWay ? (['change'] as const) : []),
    ...(isOpen ? (['open', 'started', 'waiting', 'unassigned'] as const) : []),
    ...(isCycle || (isPeriodTrend && focused === undefined) ? (['cycle', 'lead'] as const) : []),
    ...(when === '' ? [] : [verb]),
    ...(of('person').some(({ field }) => field === 'reporter') ? (['created'] as const) : []),
  );
  const read = composed(line, content, isUsed, {
    others: others.map(({ at }) => at),
    assumed: [
      ...(asks('lead') && isCycle
        ? ['Lead time is shown as cycle time, from the start of work until done.']
        : []),
      ...(isOpen ? ['The column Issues counts them.'] : []),
    ],
  });
  if (isRanked && isList) return { ...read, reason: "A list can't be sorted by time." };
  const isCycleBy = asks('cycle') && !isWhole && !isPeriodTrend;
  return isCycleBy ? { ...read, reason: cycleProblem(grouping.map((one) => one.replace(/^by /, ''))) } : read;
}

/** True if people are compared by how fast they are: not one person's issues at two times. */
export function ranksPeople({ of, asks }: SentenceContent): boolean {
  if (!asks('better')) return asks('rank') && asks('people');
  const [person, ...others] = of('person').filter((one) => !isNegated(one));
  const areTimes = others.length === 0 && of('range').length > (asks('compare') ? 1 : 0);
  return person !== undefined && !areTimes && !asks('trend');
}

/** The issues of people instead of a comparison of their speed: there is none. */
export async function withoutRanking({ all, context }: SentenceContent): Promise<Composed> {
  const isSpeed = ({ slot }: Found) => using('better', 'compare', 'rank')(slot);
  const others = { found: all.filter((one) => !isSpeed(one)), context };
  const content = contentOf(others);
  const read = await reportLine(content.has('person') ? asList(content) : content, false);
  return { ...read, unused: all.filter(isSpeed), reason: "I don't rank people by speed." };
}
