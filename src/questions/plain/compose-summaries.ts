import { projectKeyOf } from '../../issues/issue-fields.ts';
import { asLiteral } from '../parse/typed-words.ts';
import { type Composed, filterLine, lineOf, type Said, saidIn, weekOf } from './compose.ts';
import { type Found, isNegated, type Slot } from './slots.ts';
import { asList, composed, hourKinds, isIntent, narrowKinds, ofKinds } from './used-slots.ts';
import type { Intent } from './vocabulary.ts';

/** Issues by their keys. Of most that is asked about one the answer shows all; what it does not show is unused. */
export function issueLine(said: Said): Composed {
  const { of } = said;
  const keys = [...new Set(of('key').map(({ key }) => key))];
  const by = keys.length === 1 ? issueBy(said) : '';
  const hours = of('calendar')[0]?.words ?? '';
  const line = lineOf(keys.join(' '), by, hours, of('unit')[0]?.words ?? '');
  const projects = keys.map((key) => projectKeyOf({ key }).toLowerCase());
  const isShown = (slot: Slot) =>
    ofKinds('key', 'change', ...hourKinds)(slot) ||
    (slot.kind === 'intent' && !notOfIssues.includes(slot.intent)) ||
    (slot.kind === 'value' && slot.field === 'status' && slot.operator === '=') ||
    (slot.kind === 'project' && projects.includes(slot.name.toLowerCase())) ||
    (ofKinds('group', 'person')(slot) && by !== '');
  return composed(line, said, isShown);
}

/** What is asked that an answer about issues does not show. */
const notOfIssues: readonly Intent[] = [
  'compare',
  'trend',
  'better',
  'share',
  'rank',
  'weekly',
  'sprint',
  'before',
  'saved',
  'mine',
];

/** How the time of one issue is divided: by its moves, by the people who had it, or (empty) by status. */
function issueBy({ of, intents }: Said): string {
  const status = of('change')[0]?.to ?? of('value').find(({ field }) => field === 'status')?.value;
  const isMove = intents.has('when') || intents.has('mover');
  // When and by whom an issue was finished is in its first answer.
  if (isMove && (status !== undefined || !intents.has('finished')))
    return lineOf('by history', status === undefined ? '' : `to ${asLiteral(status)}`);
  const isByPerson =
    (intents.has('people') && !intents.has('finished')) ||
    of('person').length > 0 ||
    of('group').some(({ words }) => /assignee/.test(words));
  if (!isByPerson) return '';
  return `by ${status !== undefined && intents.has('people') ? 'statusDurationByAssignee' : 'assignee'}`;
}

/** A saved report by its name. */
export function savedLine(said: Said): Composed {
  return composed(
    `saved ${asLiteral(said.of('saved')[0]?.name ?? '')}`,
    said,
    (slot) => slot.kind === 'saved' || isIntent(slot, 'saved'),
  );
}

/** Whether issues of the person who writes are asked about at a time, or as finished, and not as they are now. */
export function isOfTime({ of, intents }: Said): boolean {
  return (of('range').length > 0 || intents.has('finished')) && !intents.has('aging');
}

/** The same with the person instead of `mine`: of issues at a time a list is wanted. */
export async function withSelf({ all, context, of, intents }: Said): Promise<Said> {
  const { id } = await context.self();
  const found = all.map(
    (one): Found =>
      isIntent(one.slot, 'mine') ? { ...one, slot: { kind: 'person', id, field: 'assignee' } } : one,
  );
  const isFigure =
    of('statistic').length + of('group').length > 0 || intents.has('cycle') || intents.has('count');
  return saidIn({ found: isFigure ? found : [...found, ...asList], context });
}

/** What is assigned to the person who writes. */
export function mineLine(said: Said): Composed {
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
      ofKinds('project', 'value', ...hourKinds)(slot) || isIntent(slot, 'mine', 'aging', 'open', 'started'),
  );
}

/** Whether a week is asked about. */
export function isWeekly({ of, intents }: Said): boolean {
  const [range] = of('range');
  const isWeek =
    range !== undefined &&
    (weeks.test(range.words) || /^week (?:of|beginning|starting|from) /i.test(range.words));
  if (of('statistic').length + of('group').length > 0 || (intents.has('list') && intents.has('finished')))
    return false;
  if (intents.has('count') || intents.has('cycle') || intents.has('trend') || of('change').length > 0)
    return intents.has('weekly');
  return intents.has('weekly') || (isWeek && (intents.has('how') || intents.size === 0));
}

const weeks = /^(?:(?:the )?(?:this|last|past|previous|current) week|(?:\d{4}-?)?w\d{1,2}|week \d{1,2})$/;

/** The summary of a week. */
export function weeklyLine(said: Said): Composed {
  const { of, intents, context } = said;
  const narrowing = said.all.flatMap(({ slot }) => (ofKinds(...narrowKinds)(slot) ? [slot] : []));
  const filter =
    intents.has('everywhere') && narrowing.length === 0 ? 'jql project is not EMPTY' : filterLine(narrowing);
  const [range] = of('range');
  const week =
    range !== undefined && weeks.test(range.words)
      ? range.words.replace(/^(?:past|previous)/, 'last').replace(/^current/, 'this')
      : range === undefined
        ? ''
        : (weekOf(range.words, context) ?? '');
  const hours = [...of('calendar'), ...of('unit')].map(({ words }) => words);
  return composed(
    lineOf('weekly', filter, week, ...hours),
    said,
    (slot) =>
      ofKinds(...narrowKinds, ...hourKinds)(slot) ||
      (slot.kind === 'range' && week !== '') ||
      isIntent(slot, 'weekly', 'before'),
  );
}

/** Whether a sprint is asked about, and nothing else. */
export function isSprintReport({ all, of, intents }: Said): boolean {
  const isNamed = of('sprint').length === 1 || of('sprintWord').length === 1 || intents.has('sprint');
  const others =
    of('statistic').length +
    of('group').length +
    of('value').length +
    of('clause').length +
    of('person').length +
    of('range').length;
  const isOther = (
    ['aging', 'cycle', 'open', 'started', 'waiting', 'trend', 'mine', 'weekly', 'rank', 'share'] as const
  ).some((one) => intents.has(one));
  return isNamed && others === 0 && !isOther && !all.some(({ slot }) => isNegated(slot));
}

/** The report of a sprint. */
export function sprintLine(said: Said): Composed {
  const { of } = said;
  const [sprint, word, project] = [of('sprint')[0], of('sprintWord')[0], of('project')[0]];
  const hours = [...of('calendar'), ...of('unit')].map(({ words }) => words);
  const which =
    sprint !== undefined
      ? asLiteral(sprint.name)
      : lineOf(word?.which === 'last' ? 'last' : '', project?.name ?? '');
  return composed(
    lineOf('sprint', which, ...hours),
    said,
    (slot) =>
      ofKinds('sprint', 'sprintWord', ...hourKinds)(slot) ||
      (slot.kind === 'project' && of('project').length === 1) ||
      isIntent(slot, 'sprint', 'before', 'compare'),
  );
}
