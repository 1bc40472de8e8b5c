import type { Status } from '../../model/issue.ts';
import { asLiteral } from '../parse/typed-words.ts';
import { cycleProblem } from '../report/read-report.ts';
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
} from './compose.ts';
import { isOpenCount, openClausesOf } from './compose-open.ts';
import { type Found, isNegated } from './slots.ts';
import { asList, composed, figureKinds, isIntent, narrowKinds, ofKinds } from './used-slots.ts';

/** Whether the time between two statuses is asked about, and not the moves. */
export function isBetween({ of, intents }: Said): boolean {
  return of('statistic').length > 0 || intents.has('time') || intents.has('take') || intents.has('cycle');
}

/** Whether a change is from the start of work to its end: then the time between them is the cycle time. */
export function isWholeWay(said: Said, statuses: readonly Status[]): boolean {
  const [change] = said.of('change');
  const categoryOf = (name: string) => statuses.find((one) => one.name === name)?.category;
  return (
    change !== undefined &&
    isBetween(said) &&
    categoryOf(change.from) === 'In Progress' &&
    categoryOf(change.to) === 'Done'
  );
}

/** Issues that were moved from one status to another. */
export function changeLine(said: Said): Composed {
  const { of, context } = said;
  const [change] = of('change');
  if (change === undefined) return composed('', said, () => false);
  const within = of('range')
    .map(({ words }) => changeWithin(words, context))
    .join('');
  const jql = `status CHANGED FROM ${asLiteral(change.from)} TO ${asLiteral(change.to)}${within}`;
  const narrowing = said.all.flatMap(({ slot }) => (ofKinds(...narrowKinds)(slot) ? [slot] : []));
  const filter = filterLine([...narrowing, { kind: 'clause', jql, state: false }]);
  const filters = filter.startsWith('jql') ? filter : `jql ${jql}`;
  return composed(
    lineOf(filters, 'by transitionCount', 'sum'),
    said,
    (slot) => ofKinds(...narrowKinds, 'change', 'range')(slot) || isIntent(slot, 'visits', 'rank'),
    {
      assumed: [
        `Those are the issues that went from ${change.from} to ${change.to}${within === '' ? '' : ' in that time'}; the table counts all of their moves.`,
      ],
    },
  );
}

/** Issues that were moved back from a status of category Done. */
export function reopenedLine(said: Said, statuses: readonly Status[]): Composed {
  const { of, context } = said;
  const named = (isDone: boolean) => [
    ...new Set(
      statuses.filter(({ category }) => (category === 'Done') === isDone).map(({ name }) => asLiteral(name)),
    ),
  ];
  const within = of('range')
    .map(({ words }) => changeWithin(words, context))
    .join('');
  const jql = `status CHANGED FROM (${named(true).join(', ')}) TO (${named(false).join(', ')})${within}`;
  const narrowing = said.all.flatMap(({ slot }) => (ofKinds(...narrowKinds)(slot) ? [slot] : []));
  const filter = filterLine([...narrowing, { kind: 'clause', jql, state: false }]);
  return composed(
    lineOf(filter, 'list'),
    said,
    (slot) => ofKinds(...narrowKinds, 'range')(slot) || isIntent(slot, 'reopened'),
    { assumed: ['Those are the issues that went from a status of category Done to another one.'] },
  );
}

/** A report of finished issues, or of those that were created in a time. */
export async function reportLine(said: Said, isWay: boolean): Promise<Composed> {
  const { of, intents, context } = said;
  const status = of('value').filter(({ field, operator }) => field === 'status' && operator === '=');
  const [focus, ...more] = status;
  // How many issues are in a status says nothing of their time.
  const isCount = intents.has('count') && !isBetween(said);
  const focused = focus !== undefined && more.length === 0 && !isCount ? focus : undefined;
  const narrowing = said.all.flatMap(({ slot }) =>
    slot !== focused?.at.slot && ofKinds(...narrowKinds)(slot) ? [slot] : [],
  );
  const [statistic] = of('statistic');
  const groups = of('group').map(({ words }) => words);
  const isTrend = (intents.has('trend') || intents.has('better')) && !(await anyPeriod(groups, said));
  const isOpen = isOpenCount(said);
  if (isOpen) narrowing.push(...openClausesOf(said));
  const people = of('person').filter((one) => !isNegated(one));
  const isByPerson = intents.has('people') && people.length + groups.length === 0 && !isTrend;
  const grouping = isTrend ? [...groups, 'by month'] : isByPerson ? ['by assignee'] : groups;
  const wantsCycle =
    intents.has('cycle') || intents.has('lead') || isWay || (intents.has('take') && focused === undefined);
  const isRanked = intents.has('rank');
  const isCycle =
    wantsCycle &&
    !isRanked &&
    grouping.length === 0 &&
    focused === undefined &&
    isCycleStatistic(statistic?.words);
  const isVisits = intents.has('visits') && grouping.length === 0;
  const isList =
    (isRanked || (intents.has('list') && intents.has('finished'))) &&
    statistic === undefined &&
    grouping.length === 0 &&
    !isCycle &&
    !intents.has('count');
  const lead =
    intents.has('lead') && isCycle
      ? ['Lead time is shown as cycle time, from the start of work until done.']
      : [];
  const isPeriodTrend = grouping.length > 0 && (await anyPeriod(grouping, said));
  const isQuery = isCycle || focused !== undefined || mayBeName(rangeLine(said), context);
  if (isList && rangeLine(said) === '') {
    narrowing.push({ kind: 'clause', jql: 'statusCategory = Done', state: false });
  }
  const filter =
    intents.has('everywhere') && narrowing.length === 0
      ? 'jql project is not EMPTY'
      : filterLine(narrowing, isQuery);
  const line = lineOf(
    filter,
    rangeLine(said),
    ...grouping,
    isVisits ? 'by statusCount' : '',
    focused === undefined ? '' : `time in ${asLiteral(focused.value)}`,
    isCycle ? 'cycle time' : '',
    isList ? 'list' : '',
    tailsLine(said),
  );
  const read = composed(
    line,
    said,
    (slot) =>
      ofKinds(...narrowKinds, ...figureKinds, 'range', 'sprintWord', 'group')(slot) ||
      (slot.kind === 'change' && isWay) ||
      (isOpen && isIntent(slot, 'open', 'started', 'waiting', 'unassigned')) ||
      (isIntent(slot, 'cycle', 'lead') && (isCycle || isPeriodTrend)) ||
      (isIntent(slot, 'trend', 'better', 'visits', 'created', 'updated') &&
        !(isIntent(slot, 'created', 'updated') && rangeLine(said) === '')),
    { assumed: [...lead, ...(isOpen ? ['The column Issues counts them.'] : [])] },
  );
  if (isRanked && isList) return { ...read, reason: "A list can't be sorted by time." };
  const isCycleBy = intents.has('cycle') && grouping.length > 0 && !isPeriodTrend;
  return isCycleBy ? { ...read, reason: cycleProblem(grouping.map((one) => one.replace(/^by /, ''))) } : read;
}

/** Whether people are compared by how fast they are, and not their issues looked at. */
export function ranksPeople({ of, intents }: Said): boolean {
  return intents.has('better')
    ? of('person').length > 0 && !intents.has('trend')
    : intents.has('rank') && intents.has('people');
}

/** The issues of people instead of a comparison of their speed, which there is none of. */
export async function instead({ all, context }: Said): Promise<Composed> {
  const isSpeed = ({ slot }: Found) => isIntent(slot, 'better', 'compare', 'rank');
  const others = all.filter((one) => !isSpeed(one));
  const isOfPeople = others.some(({ slot }) => slot.kind === 'person');
  const read = await reportLine(
    saidIn({ found: isOfPeople ? [...others, ...asList] : others, context }),
    false,
  );
  return { ...read, unused: all.filter(isSpeed), reason: "I don't rank people by speed." };
}

async function anyPeriod(groups: readonly string[], { context }: Said): Promise<boolean> {
  for (const one of groups) if (await isPeriod(one, context)) return true;
  return false;
}
