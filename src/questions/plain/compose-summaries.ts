import { asLiteral } from '../parse/typed-words.ts';
import { type Composed, filterLine, lineOf, type Said } from './compose.ts';
import { composed, hourKinds, isIntent, narrowKinds, ofKinds } from './used-slots.ts';

/** Whatever is said of an issue is in the answer about it. */
export function issueLine(said: Said): Composed {
  const { of, intents } = said;
  const keys = [...new Set(of('key').map(({ key }) => key))];
  const hasStatus = of('value').some(({ field }) => field === 'status');
  const isByPerson =
    keys.length === 1 && (intents.has('people') || of('group').some(({ words }) => /assignee/.test(words)));
  const by = isByPerson
    ? `by ${hasStatus && intents.has('people') ? 'statusDurationByAssignee' : 'assignee'}`
    : '';
  const hours = of('calendar')[0]?.words ?? '';
  const line = lineOf(keys.join(' '), by, hours, of('unit')[0]?.words ?? '');
  return { line, unused: [], assumed: [] };
}

/** A saved report by its name. */
export function savedLine(said: Said): Composed {
  return composed(
    `saved ${asLiteral(said.of('saved')[0]?.name ?? '')}`,
    said,
    (slot) => slot.kind === 'saved' || isIntent(slot, 'saved'),
  );
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
  const isWeek = range !== undefined && weeks.test(range.words);
  if (of('statistic').length + of('group').length > 0 || (intents.has('list') && intents.has('finished')))
    return false;
  if (intents.has('count') || intents.has('cycle') || intents.has('trend') || of('change').length > 0)
    return intents.has('weekly');
  return intents.has('weekly') || (isWeek && (intents.has('how') || intents.size === 0));
}

const weeks = /^(?:(?:the )?(?:this|last|past|previous|current) week|(?:\d{4}-?)?w\d{1,2}|week \d{1,2})$/;

/** The summary of a week. */
export function weeklyLine(said: Said): Composed {
  const { of, intents } = said;
  const narrowing = said.all.flatMap(({ slot }) => (ofKinds(...narrowKinds)(slot) ? [slot] : []));
  const filter =
    intents.has('everywhere') && narrowing.length === 0 ? 'jql project is not EMPTY' : filterLine(narrowing);
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
      ofKinds(...narrowKinds, ...hourKinds)(slot) ||
      (slot.kind === 'range' && week !== '') ||
      isIntent(slot, 'weekly', 'before'),
  );
}

/** Whether a sprint is asked about, and nothing else. */
export function isSprintReport({ of, intents }: Said): boolean {
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
  return isNamed && others === 0 && !isOther;
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
