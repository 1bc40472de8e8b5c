import type { Status } from '../../model/issue.ts';
import {
  type Composed,
  changeWithin,
  filterLine,
  isCycleStatistic,
  isPeriod,
  lineOf,
  mayBeName,
  rangeLine,
  type Said,
  saidIn,
  tailsLine,
  timeClauses,
  typedName,
} from './compose.ts';
import type { Found, Slot } from './slots.ts';
import type { Wish } from './vocabulary.ts';

/** Slots whose words a line has used up. */
type Uses = (slot: Slot) => boolean;

const filterKinds: readonly Slot['kind'][] = ['project', 'person', 'sprint', 'value', 'clause'];
const tailKinds: readonly Slot['kind'][] = ['statistic', 'calendar', 'unit'];
const hourKinds: readonly Slot['kind'][] = ['calendar', 'unit'];

/** Wishes that change nothing of a line on their own. */
const idle: ReadonlySet<Wish> = new Set([
  'how',
  'list',
  'count',
  'time',
  'take',
  'now',
  'everywhere',
  'finished',
  'people',
]);

/** The question that what was said makes. */
export async function composeLine(said: Said): Promise<Composed> {
  const { of, wishes } = said;
  if (of('key').length > 0) return issueLine(said);
  if (of('saved').length > 0) return savedLine(said);
  const statuses = await said.context.statuses();
  const state = stateOf(said, statuses);
  if (wishes.has('mine')) return mineLine(said);
  const sides = sidesOf(said);
  if (sides !== null) return compareLine(said, sides);
  const period = periodOf(said);
  if (period !== null) return periodsLine(said, period);
  if (isSprintReport(said)) return sprintLine(said);
  if (of('change').length > 0 && !isWholeWay(said, statuses)) return changeLine(said);
  if (state !== null) return agingLine(said, state);
  if (isWeekly(said)) return weeklyLine(said);
  return reportLine(said);
}

function composed(line: string, { all }: Said, uses: Uses, assumed: readonly string[] = []): Composed {
  const isIdle = (slot: Slot) => slot.kind === 'wish' && idle.has(slot.wish);
  return { line, unused: all.filter(({ slot }) => !isIdle(slot) && !uses(slot)), assumed };
}

function ofKinds(...kinds: readonly Slot['kind'][]): Uses {
  return ({ kind }) => kinds.includes(kind);
}

function isWish(slot: Slot, ...wishes: readonly Wish[]): boolean {
  return slot.kind === 'wish' && wishes.includes(slot.wish);
}

/** Whatever is said of an issue is in the answer about it. */
function issueLine(said: Said): Composed {
  const { of, wishes } = said;
  const keys = [...new Set(of('key').map(({ key }) => key))];
  const hasStatus = of('value').some(({ field }) => field === 'status');
  const isByPerson =
    keys.length === 1 && (wishes.has('people') || of('group').some(({ words }) => /assignee/.test(words)));
  const by = isByPerson
    ? `by ${hasStatus && wishes.has('people') ? 'statusDurationByAssignee' : 'assignee'}`
    : '';
  const hours = of('calendar')[0]?.words ?? '';
  const line = lineOf(keys.join(' '), by, hours, of('unit')[0]?.words ?? '');
  return { line, unused: [], assumed: [] };
}

function savedLine(said: Said): Composed {
  return composed(
    `saved ${typedName(said.of('saved')[0]?.name ?? '')}`,
    said,
    (slot) => slot.kind === 'saved' || isWish(slot, 'saved'),
  );
}

function mineLine(said: Said): Composed {
  const { of } = said;
  const filter = filterLine(of('project').concat(of('value') as never[]));
  const line = lineOf(
    'mine',
    filter,
    ...of('calendar').map(({ words }) => words),
    ...of('unit').map(({ words }) => words),
  );
  return composed(
    line,
    said,
    (slot) =>
      ofKinds('project', 'value', ...hourKinds)(slot) || isWish(slot, 'mine', 'aging', 'open', 'started'),
  );
}

/** What open issues are asked about: none of it is of a time that is over. */
interface State {
  /** Those that are not started belong to it. */
  readonly withBacklog: boolean;
}

const backlogWishes: readonly Wish[] = ['open', 'waiting', 'unassigned'];

function stateOf(said: Said, known: readonly Status[]): State | null {
  const { of, wishes } = said;
  const statuses = of('value').filter(({ field, operator }) => field === 'status' && operator === '=');
  const isAboutTime =
    of('statistic').length + of('group').length > 0 || wishes.has('cycle') || wishes.has('trend');
  const isSpent = isAboutTime || wishes.has('time') || wishes.has('take') || wishes.has('compare');
  // Issues in a status, and when they were created at most, are those that are there now.
  const isBare = !isSpent && (of('range').length === 0 || wishes.has('created'));
  const isNow = !isAboutTime && wishes.has('now') && of('range').length === 0;
  const toDo = known.filter(({ category }) => category === 'To Do').map(({ name }) => name);
  const isState =
    wishes.has('aging') ||
    wishes.has('open') ||
    wishes.has('started') ||
    wishes.has('waiting') ||
    wishes.has('unassigned') ||
    of('clause').some(({ state }) => state) ||
    (statuses.length > 0 && (isNow || isBare));
  if (!isState || (isAboutTime && !wishes.has('aging'))) return null;
  if (wishes.has('finished') && !wishes.has('aging') && of('range').length > 0) return null;
  const isUnstarted = statuses.some(({ value }) => toDo.includes(value));
  return { withBacklog: isUnstarted || backlogWishes.some((one) => wishes.has(one)) };
}

/** Open issues by how long they have been where they are. */
function agingLine(said: Said, { withBacklog }: State): Composed {
  const { of, wishes, context } = said;
  const clauses: Slot[] = [];
  const clause = (jql: string) => clauses.push({ kind: 'clause', jql, state: true });
  if (wishes.has('unassigned')) clause('assignee is EMPTY');
  if (wishes.has('waiting')) clause('statusCategory = "To Do"');
  const [range] = of('range');
  if (range !== undefined && wishes.has('created'))
    for (const one of timeClauses(range.words, 'created', context)) clause(one);
  if (range !== undefined && !wishes.has('created') && /^since /.test(range.words)) {
    const [since = ''] = timeClauses(range.words, 'updated', context);
    clause(`NOT status CHANGED AFTER ${since.replace(/^updated >= /, '')}`);
  }
  const [sprint] = of('sprintWord');
  if (sprint !== undefined)
    clause(sprint.which === 'this' ? 'sprint in openSprints()' : 'sprint in closedSprints()');
  const narrowing = of('project').concat(
    of('person') as never[],
    of('sprint') as never[],
    of('value') as never[],
    of('clause') as never[],
  );
  const isEverywhere = wishes.has('everywhere') && narrowing.length + clauses.length === 0;
  const filter = isEverywhere ? 'jql project is not EMPTY' : filterLine([...narrowing, ...clauses]);
  const hours = [...of('calendar'), ...of('unit')].map(({ words }) => words);
  const isRanged = clauses.length > 0;
  return composed(
    lineOf('aging', filter, withBacklog ? 'with backlog' : '', ...hours),
    said,
    (slot) =>
      ofKinds(...filterKinds, ...hourKinds, 'sprintWord')(slot) ||
      (slot.kind === 'range' && isRanged) ||
      isWish(
        slot,
        'aging',
        'open',
        'started',
        'waiting',
        'unassigned',
        'created',
        'sprint',
        'rank',
        'before',
      ),
  );
}

function isWeekly({ of, wishes }: Said): boolean {
  const [range] = of('range');
  const isWeek = range !== undefined && weeks.test(range.words);
  if (of('statistic').length + of('group').length > 0 || (wishes.has('list') && wishes.has('finished')))
    return false;
  if (wishes.has('count') || wishes.has('cycle') || wishes.has('trend') || of('change').length > 0)
    return wishes.has('weekly');
  return wishes.has('weekly') || (isWeek && (wishes.has('how') || wishes.size === 0));
}

const weeks = /^(?:(?:the )?(?:this|last|past|previous|current) week|(?:\d{4}-?)?w\d{1,2}|week \d{1,2})$/;

function weeklyLine(said: Said): Composed {
  const { of, wishes } = said;
  const narrowing = said.all.flatMap(({ slot }) => (ofKinds(...filterKinds)(slot) ? [slot] : []));
  const filter =
    wishes.has('everywhere') && narrowing.length === 0 ? 'jql project is not EMPTY' : filterLine(narrowing);
  const [range] = of('range');
  const week =
    range !== undefined && weeks.test(range.words)
      ? range.words.replace(/^(?:past|previous)/, 'last').replace(/^current/, 'this')
      : '';
  const hours = [...of('calendar'), ...of('unit')].map(({ words }) => words);
  return composed(
    lineOf('weekly', filter, week, ...hours),
    said,
    (slot) =>
      ofKinds(...filterKinds, ...hourKinds)(slot) ||
      (slot.kind === 'range' && week !== '') ||
      isWish(slot, 'weekly', 'before'),
  );
}

function isSprintReport({ of, wishes }: Said): boolean {
  const isNamed = of('sprint').length === 1 || of('sprintWord').length === 1 || wishes.has('sprint');
  const others =
    of('statistic').length +
    of('group').length +
    of('value').length +
    of('clause').length +
    of('person').length +
    of('range').length;
  const isOther = (
    [
      'aging',
      'cycle',
      'open',
      'started',
      'waiting',
      'trend',
      'mine',
      'weekly',
      'list',
      'rank',
      'share',
    ] as const
  ).some((one) => wishes.has(one) && !(one === 'list' && !wishes.has('finished')));
  return isNamed && others === 0 && !isOther;
}

function sprintLine(said: Said): Composed {
  const { of } = said;
  const [sprint, word, project] = [of('sprint')[0], of('sprintWord')[0], of('project')[0]];
  const hours = [...of('calendar'), ...of('unit')].map(({ words }) => words);
  const which =
    sprint !== undefined
      ? typedName(sprint.name)
      : lineOf(word?.which === 'last' ? 'last' : '', project?.name ?? '');
  return composed(
    lineOf('sprint', which, ...hours),
    said,
    (slot) =>
      ofKinds('sprint', 'sprintWord', ...hourKinds)(slot) ||
      (slot.kind === 'project' && of('project').length === 1) ||
      isWish(slot, 'sprint', 'before', 'compare'),
  );
}

/** Two of one kind that are compared, and everything they share. */
interface Sides {
  readonly sides: readonly [Found, Found];
  readonly shared: readonly Found[];
}

/** Two projects, times, people, sprints or values of one field that are said beside a word for comparing. */
function sidesOf({ all, wishes }: Said): Sides | null {
  if (!wishes.has('compare')) return null;
  const isSide = ({ slot }: Found) => ofKinds('range', 'project', 'person', 'sprint', 'value')(slot);
  const kindOf = ({ slot }: Found) => (slot.kind === 'value' ? `${slot.field}${slot.operator}` : slot.kind);
  const pairs = [...Map.groupBy(all.filter(isSide), kindOf).values()].filter((group) => group.length === 2);
  const at = all.find(({ slot }) => isWish(slot, 'compare'))?.start ?? 0;
  const distance = (pair: readonly Found[]) => Math.min(...pair.map(({ start }) => Math.abs(start - at)));
  const [nearest] = pairs.toSorted((a, b) => distance(a) - distance(b));
  const [one, other] = nearest ?? [];
  return one === undefined || other === undefined
    ? null
    : { sides: [one, other], shared: all.filter((found) => found !== one && found !== other) };
}

function compareLine(said: Said, { sides, shared }: Sides): Composed {
  const { context, of, wishes } = said;
  const status = of('value').find(({ field, operator }) => field === 'status' && operator === '=');
  const sideLine = (side: Found) => {
    const own = [...shared, side].filter(({ slot }) => slot !== status?.at.slot);
    const narrowing = own.flatMap(({ slot }) => (ofKinds(...filterKinds)(slot) ? [slot] : []));
    const when = rangeLine(saidIn({ found: own, context }));
    return lineOf(filterLine(narrowing, mayBeName(when, context)), when);
  };
  const hours = [...of('calendar'), ...of('unit')].map(({ words }) => words);
  const everywhere = wishes.has('everywhere') ? 'jql project is not EMPTY' : '';
  const [one, other] = sides.map((side) => lineOf(sideLine(side) || everywhere));
  return composed(
    lineOf('compare', one ?? '', 'with', other ?? '', ...hours),
    said,
    (slot) =>
      ofKinds(...filterKinds, ...hourKinds, 'range', 'sprintWord')(slot) ||
      (slot.kind === 'statistic' && isCycleStatistic(slot.words)) ||
      isWish(slot, 'compare', 'better', 'cycle', 'trend', 'created', 'updated', 'open'),
    status === undefined ? [] : [`Time in ${status.value} is a row of the table.`],
  );
}

/** The running or last period that is said to be better than another; null where there is none. */
function periodOf({ of, wishes }: Said): string | null {
  const [range, ...others] = of('range');
  const [, period] = /^(?:this|last) (week|month|quarter|year)$/i.exec(range?.words ?? '') ?? [];
  const isCompared = wishes.has('better') || wishes.has('compare');
  return isCompared && others.length === 0 && period !== undefined ? period.toLowerCase() : null;
}

/** The last period beside the running one. */
function periodsLine(said: Said, period: string): Composed {
  const { of } = said;
  const narrowing = said.all.flatMap(({ slot }) => (ofKinds(...filterKinds)(slot) ? [slot] : []));
  const hours = [...of('calendar'), ...of('unit')].map(({ words }) => words);
  return composed(
    lineOf('compare', filterLine(narrowing), `last ${period} with this ${period}`, ...hours),
    said,
    (slot) =>
      ofKinds(...filterKinds, ...hourKinds, 'range')(slot) ||
      (slot.kind === 'statistic' && isCycleStatistic(slot.words)) ||
      isWish(slot, 'better', 'compare', 'cycle', 'trend', 'before'),
  );
}

/** Whether a change is from the start of work to its end: then the time between them is the cycle time. */
function isWholeWay({ of, wishes }: Said, statuses: readonly Status[]): boolean {
  const [change] = of('change');
  const categoryOf = (name: string) => statuses.find((one) => one.name === name)?.category;
  const isBetween =
    of('statistic').length > 0 || wishes.has('time') || wishes.has('take') || wishes.has('cycle');
  return (
    change !== undefined &&
    isBetween &&
    categoryOf(change.from) === 'In Progress' &&
    categoryOf(change.to) === 'Done'
  );
}

/** Issues that were moved from one status to another. */
function changeLine(said: Said): Composed {
  const { of, context } = said;
  const [change] = of('change');
  if (change === undefined) return composed('', said, () => false);
  const within = of('range')
    .map(({ words }) => changeWithin(words, context))
    .join('');
  const jql = `status CHANGED FROM ${asText(change.from)} TO ${asText(change.to)}${within}`;
  const narrowing = said.all.flatMap(({ slot }) => (ofKinds(...filterKinds)(slot) ? [slot] : []));
  const filter = filterLine([...narrowing, { kind: 'clause', jql, state: false }]);
  const filters = filter.startsWith('jql') ? filter : `jql ${jql}`;
  return composed(
    lineOf(filters, 'by transitionCount', 'sum'),
    said,
    (slot) => ofKinds(...filterKinds, 'change', 'range')(slot) || isWish(slot, 'visits', 'rank'),
    [
      `Those are the issues that went from ${change.from} to ${change.to}${within === '' ? '' : ' in that time'}; the table counts all of their moves.`,
    ],
  );
}

function asText(name: string): string {
  return typedName(name);
}

/** A report of finished issues, or of those that were created in a time. */
async function reportLine(said: Said): Promise<Composed> {
  const { of, wishes, context } = said;
  const status = of('value').filter(({ field, operator }) => field === 'status' && operator === '=');
  const [focus, ...more] = status;
  const focused = focus !== undefined && more.length === 0 ? focus : undefined;
  const narrowing = said.all.flatMap(({ slot }) =>
    slot !== focused?.at.slot && ofKinds(...filterKinds)(slot) ? [slot] : [],
  );
  const [statistic] = of('statistic');
  const groups = of('group').map(({ words }) => words);
  const isTrend = (wishes.has('trend') || wishes.has('better')) && !(await anyPeriod(groups, said));
  const grouping = isTrend ? [...groups, 'by month'] : groups;
  const isWay = of('change').length > 0;
  const wantsCycle =
    wishes.has('cycle') || wishes.has('lead') || isWay || (wishes.has('take') && focused === undefined);
  const isCycle =
    wantsCycle && grouping.length === 0 && focused === undefined && isCycleStatistic(statistic?.words);
  const isVisits = wishes.has('visits') && grouping.length === 0;
  const isList =
    wishes.has('list') &&
    wishes.has('finished') &&
    statistic === undefined &&
    grouping.length === 0 &&
    !isCycle &&
    !wishes.has('count');
  const lead =
    wishes.has('lead') && isCycle
      ? ['Lead time is shown as cycle time, from the start of work until done.']
      : [];
  const isPeriodTrend = grouping.length > 0 && (await anyPeriod(grouping, said));
  const isQuery = isCycle || focused !== undefined || mayBeName(rangeLine(said), context);
  const filter =
    wishes.has('everywhere') && narrowing.length === 0
      ? 'jql project is not EMPTY'
      : filterLine(narrowing, isQuery);
  const line = lineOf(
    filter,
    rangeLine(said),
    ...grouping,
    isVisits ? 'by statusCount' : '',
    focused === undefined ? '' : `time in ${typedName(focused.value)}`,
    isCycle ? 'cycle time' : '',
    isList ? 'list' : '',
    tailsLine(said),
  );
  return composed(
    line,
    said,
    (slot) =>
      ofKinds(...filterKinds, ...tailKinds, 'range', 'sprintWord', 'group')(slot) ||
      (slot.kind === 'change' && isWay) ||
      (isWish(slot, 'cycle', 'lead') && (isCycle || isPeriodTrend)) ||
      (isWish(slot, 'trend', 'better', 'visits', 'created', 'updated') &&
        !(isWish(slot, 'created', 'updated') && rangeLine(said) === '')),
    lead,
  );
}

async function anyPeriod(groups: readonly string[], { context }: Said): Promise<boolean> {
  for (const one of groups) if (await isPeriod(one, context)) return true;
  return false;
}
