import type { Status } from '../../../model/issue.ts';
import {
  type Composed,
  composed,
  filterLine,
  hourKinds,
  lineOf,
  narrowing,
  narrowKinds,
  type SentenceContent,
  statusesOf,
  tailsLine,
  timeClauses,
} from './compose.ts';
import { type Slot, using } from './slots.ts';
import { unmovedSince } from './spot-conditions.ts';
import type { Intent } from './vocabulary.ts';

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
