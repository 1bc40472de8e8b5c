import type { ExplainedPart, Explanation, FigureChoice } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { ReportRequest } from '../../../model/request.ts';
import { causesText, inStatus } from '../../../output/figure-words.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { blockedTimes } from '../figures/blocked-times.ts';
import type { ReportingContext } from '../question-kind.ts';
import { visitParts } from '../why/explain-parts.ts';
import { compose, type FigureName, figureId, partOf, shortName, unknownFigure } from '../why/explanation.ts';
import type { StageTime } from './issue-answer.ts';
import { type IssueAnswer, summarizeIssue } from './issue-summary.ts';

/** The figures of an issue: its current stay, the whole work, each status of it, and the time before. */
export function issueFigures({
  current,
  stages,
  before,
  finish,
  blocked,
  key,
}: IssueAnswer): readonly FigureChoice[] {
  const isOpen = current !== null && current.kind !== 'done';
  return [
    ...(isOpen && current.forMs !== null
      ? [{ id: figureId('current'), title: `${inStatus(current.name).replace('i', 'I')} for` }]
      : []),
    ...(stages.length === 0
      ? []
      : [
          {
            id: figureId('tookMs'),
            title: finish === null ? `Time of ${key} so far` : `Time until ${key} was done`,
          },
        ]),
    ...stages.map(({ id, name: status }) => ({
      id: figureId('stages', shortName(id)),
      title: `Time ${inStatus(status)}`,
    })),
    ...(before.length === 0 ? [] : [{ id: figureId('before'), title: 'Time before work began' }]),
    ...(blocked === null || blocked.times === 0
      ? []
      : [{ id: figureId('blocked'), title: `Time ${key} was blocked` }]),
  ];
}

/** Explains a figure of an issue by its visits. */
export async function explainIssue(
  { kind, words }: FigureName,
  { calendar, ...question }: { readonly key: string; readonly calendar: string },
  { principal, asOf, parts: { reporting } }: ReportingContext,
): Promise<Explanation> {
  const key = question.key.toUpperCase();
  if (kind === 'blocked') return explainBlocked(key, { principal, calendar, asOf }, reporting);
  const issue = await summarizeIssue(reporting, principal, key, { calendar, asOf });
  const { visits, unknown, provenance } = await visitParts({ principal, calendar, key, asOf }, reporting);
  const begin = visitsIn(issue.before);
  const end = issue.after.length === 0 ? visits.length : visits.length - visitsIn(issue.after);
  const [before, stages] = [visits.slice(0, begin), visits.slice(begin, end)];
  const explained = (
    title: string,
    value: number,
    rules: readonly string[],
    parts: readonly ExplainedPart[],
  ) => compose({ title, value: { kind: 'duration', value }, rules, parts, adds: true, provenance, asOf });
  const until = issue.after.length === 0 ? 'now' : 'done';
  const cut = unknown === null ? [] : ['Time without history is not counted.'];
  switch (kind) {
    case 'tookMs':
      if (issue.stages.length === 0) throw unknownFigure();
      return explained(
        issue.after.length === 0 ? `Time of ${key} so far` : `Time until ${key} was done`,
        issue.tookMs,
        [
          issue.startedAt === null
            ? `All known time in each status until ${until}.`
            : `All time from the first In Progress status until ${until}.`,
          ...cut,
        ],
        stages.flatMap(({ statusId, part }) => (statusId === null ? [] : [part])),
      );
    case 'before':
      if (issue.before.length === 0) throw unknownFigure();
      return explained(
        `Time of ${key} before work began`,
        issue.before.reduce((sum, { spentMs: ms }) => sum + ms, 0),
        ['All time from creation until the first In Progress status. No share includes it.'],
        before.map(({ part }) => part),
      );
    case 'current': {
      const { current } = issue;
      const last = visits.at(-1);
      if (current === null || current.forMs === null || last === undefined) throw unknownFigure();
      return explained(
        `How long ${key} has been ${inStatus(current.name)}`,
        current.forMs,
        ['Counted since it last entered this status.'],
        [last.part],
      );
    }
    case 'stages': {
      const time = issue.stages.find(({ id }) => shortName(id) === words[0]);
      if (time === undefined) throw unknownFigure();
      return explained(
        `Time of ${key} ${inStatus(time.name)}`,
        time.spentMs,
        ['All time in this status since work started.', ...cut],
        stages.flatMap(({ statusId, part }) => (statusId === time.id ? [part] : [])),
      );
    }
    default:
      throw unknownFigure();
  }
}

/** Explains the blocked time of an issue by the times in which it was. */
export async function explainBlocked(
  key: string,
  { principal, calendar, asOf }: Pick<ReportRequest, 'principal' | 'calendar'> & { readonly asOf: Instant },
  reporting: ReportingApi,
): Promise<Explanation> {
  const found = await blockedTimes([key], { principal, calendar, asOf }, reporting);
  const [blocked] = found?.byKey.values() ?? [];
  if (blocked === undefined || blocked.times === 0 || found === null) throw unknownFigure();
  const parts = blocked.episodes.map(({ start, end, blockedMs, causes, by }) =>
    partOf({
      label: causesText(causes),
      from: start,
      until: end,
      wallMs: (end ?? asOf) - start,
      countedMs: blockedMs,
      note: blockedNote(end, by?.name ?? null),
    }),
  );
  return compose({
    title: `Time ${key} was blocked`,
    value: { kind: 'duration', value: blocked.blockedMs },
    rules: [
      'An issue is blocked while it is not done and is flagged, is in a status that its flow names as blocking, or is linked as blocked by an issue that is not done.',
      'Causes at the same time count once. Links to issues that you cannot see do not count.',
    ],
    parts,
    adds: true,
    provenance: found.provenance,
    asOf,
  });
}

function blockedNote(end: Instant | null, by: string | null): string | null {
  const notes = [...(end === null ? ['still blocked'] : []), ...(by === null ? [] : [`begun by ${by}`])];
  return notes.length === 0 ? null : notes.join(', ');
}

function visitsIn(times: readonly StageTime[]): number {
  return times.reduce((sum, { visits }) => sum + visits, 0);
}
