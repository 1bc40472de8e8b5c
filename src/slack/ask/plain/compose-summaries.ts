import { asLiteral } from '../../../api/reporting/query-text.ts';
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
  lineOf,
  narrowing,
  narrowKinds,
  type SentenceContent,
  tailsLine,
  weekOf,
} from './compose.ts';
import { type Found, isNegated, type Slot, using } from './slots.ts';

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
