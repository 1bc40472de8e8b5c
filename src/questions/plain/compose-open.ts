import type { Status } from '../../model/issue.ts';
import { type Composed, filterLine, lineOf, type Said, timeClauses } from './compose.ts';
import type { Slot } from './slots.ts';
import { composed, hourKinds, isIntent, narrowKinds, ofKinds } from './used-slots.ts';
import type { Intent } from './vocabulary.ts';

/** What open issues are asked about: none of it is of a time that is over. */
interface State {
  /** Those that are not started belong to it. */
  readonly withBacklog: boolean;
}

const backlogIntents: readonly Intent[] = ['open', 'waiting', 'unassigned'];

/** What is asked about open issues; null where it is another question. */
export function stateOf(said: Said, known: readonly Status[]): State | null {
  const { of, intents } = said;
  const statuses = of('value').filter(({ field, operator }) => field === 'status' && operator === '=');
  const isAboutTime =
    of('statistic').length + of('group').length > 0 || intents.has('cycle') || intents.has('trend');
  const isSpent = isAboutTime || intents.has('time') || intents.has('take') || intents.has('compare');
  // Issues in a status, and when they were created at most, are those that are there now.
  const isBare = !isSpent && (of('range').length === 0 || intents.has('created'));
  const isNow = !isAboutTime && intents.has('now') && of('range').length === 0;
  const toDo = known.filter(({ category }) => category === 'To Do').map(({ name }) => name);
  const isState =
    intents.has('aging') ||
    intents.has('open') ||
    intents.has('started') ||
    intents.has('waiting') ||
    intents.has('unassigned') ||
    of('clause').some(({ state }) => state) ||
    (statuses.length > 0 && (isNow || isBare));
  if (!isState || (isAboutTime && !intents.has('aging')) || isOpenCount(said)) return null;
  if (intents.has('finished') && !intents.has('aging') && of('range').length > 0) return null;
  const isUnstarted = statuses.some(({ value }) => toDo.includes(value));
  // What was created long ago or is due need not be started.
  const isAnyOpen = of('clause').some(({ jql }) => /^(?:due|created) /.test(jql));
  return { withBacklog: isUnstarted || isAnyOpen || backlogIntents.some((one) => intents.has(one)) };
}

/** What open issues are, in JQL, by the words for them. */
const openClauses: readonly (readonly [Intent, string])[] = [
  ['open', 'statusCategory != Done'],
  ['started', 'statusCategory = "In Progress"'],
  ['waiting', 'statusCategory = "To Do"'],
  ['unassigned', 'assignee is EMPTY AND statusCategory != Done'],
];

/** Whether open issues are counted by a field or by person, and not listed: `who has the most open tickets`. */
export function isOpenCount(said: Said): boolean {
  const { of, intents } = said;
  const isOther =
    of('range').length + of('statistic').length + of('sprintWord').length > 0 ||
    (['aging', 'cycle', 'lead', 'trend', 'time', 'take', 'compare', 'finished', 'rank'] as const).some(
      (one) => intents.has(one),
    );
  const isByPerson = intents.has('people') && of('person').length === 0 && !intents.has('list');
  const isGrouped = of('group').length > 0 || (isByPerson && intents.has('open'));
  return !isOther && isGrouped && openClausesOf(said).length > 0;
}

/** The conditions under which the issues that were named are open. */
export function openClausesOf({ intents }: Said): readonly Slot[] {
  return openClauses.flatMap(([intent, jql]) =>
    intents.has(intent) ? [{ kind: 'clause' as const, jql, state: true }] : [],
  );
}

/** Open issues by how long they have been where they are. */
export function agingLine(said: Said, { withBacklog }: State): Composed {
  const { of, intents, context } = said;
  const clauses: Slot[] = [];
  const clause = (jql: string) => clauses.push({ kind: 'clause', jql, state: true });
  if (intents.has('unassigned')) clause('assignee is EMPTY');
  if (intents.has('waiting')) clause('statusCategory = "To Do"');
  const [range] = of('range');
  if (range !== undefined && intents.has('created'))
    for (const one of timeClauses(range.words, 'created', context)) clause(one);
  if (range !== undefined && !intents.has('created') && /^since /.test(range.words)) {
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
  const isEverywhere = intents.has('everywhere') && narrowing.length + clauses.length === 0;
  const filter = isEverywhere ? 'jql project is not EMPTY' : filterLine([...narrowing, ...clauses]);
  const hours = [...of('calendar'), ...of('unit')].map(({ words }) => words);
  const isRanged = clauses.length > 0;
  return composed(
    lineOf('aging', filter, withBacklog ? 'with backlog' : '', ...hours),
    said,
    (slot) =>
      ofKinds(...narrowKinds, ...hourKinds, 'sprintWord')(slot) ||
      (slot.kind === 'range' && isRanged) ||
      isIntent(
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
