import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import type { Explanation, FigureChoice } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import { ask } from '../../model/request.ts';
import { visitParts } from '../why/explain-parts.ts';
import { compose, type FigureName, figureId, shortName, unknownFigure } from '../why/explanation.ts';
import { type IssueSummary, summarizeIssue } from './issue-summary.ts';

/** Each status, the whole life, and how long the issue has been where it is. */
export function issueFigures({ statuses, current }: IssueSummary): readonly FigureChoice[] {
  return [
    ...(current === null || current.forMs === null
      ? []
      : [{ id: figureId('age'), title: `In ${current.title} for` }]),
    ...statuses.map(({ status }) => ({
      id: figureId('status', shortName(status)),
      title: `Time in ${status}`,
    })),
    { id: figureId('total'), title: 'Time in all' },
  ];
}

/** Which visits a figure of an issue is made of. */
export async function explainIssue(
  { kind, words }: FigureName,
  question: { readonly key: string; readonly calendar: string },
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<Explanation> {
  const { calendar } = question;
  const key = question.key.toUpperCase();
  const story = await summarizeIssue(reporting, principal, key, { calendar, asOf });
  const { visits, unknown, provenance } = await visitParts({ principal, calendar, key, asOf }, reporting);
  const known = visits.flatMap(({ statusId, part }) => (statusId === null ? [] : [part]));
  const duration = (value: number) => ({ kind: 'duration', value }) as const;
  switch (kind) {
    case 'total':
      return compose(
        {
          title: `Time of ${key} in all`,
          value: duration(story.totalMs),
          rules: [
            `All visits are added up, from the creation of the issue on.`,
            ...(unknown === null
              ? []
              : ['Time of which nothing is known is told as such, and is in the sum.']),
          ],
          parts: unknown === null ? known : [...known, unknown],
          adds: true,
        },
        provenance,
        asOf,
      );
    case 'age': {
      const { current } = story;
      const last = visits.at(-1);
      if (current === null || current.forMs === null || last === undefined) throw unknownFigure();
      return compose(
        {
          title: `How long ${key} has been in ${current.title}`,
          value: duration(current.forMs),
          rules: ['Only the visit that still lasts counts, from the last change of status on.'],
          parts: [last.part],
          adds: true,
        },
        provenance,
        asOf,
      );
    }
    case 'status': {
      const time = story.statuses.find(({ status }) => shortName(status) === words[0]);
      const id = time && (await statusIdOf(time.status, { principal, calendar, key, asOf }, reporting));
      if (time === undefined || id === undefined) throw unknownFigure();
      return compose(
        {
          title: `Time of ${key} in ${time.status}`,
          value: duration(time.ms),
          rules: [
            'All visits of this status are added up, whole from the first second to the last.',
            ...(unknown === null ? [] : ['Time of which nothing is known counts for no status.']),
          ],
          parts: visits.flatMap(({ statusId, part }) => (statusId === id ? [part] : [])),
          adds: true,
        },
        provenance,
        asOf,
      );
    }
    default:
      throw unknownFigure();
  }
}

async function statusIdOf(
  title: string,
  {
    key,
    ...request
  }: {
    readonly principal: Principal;
    readonly calendar: string;
    readonly key: string;
    readonly asOf: Instant;
  },
  reporting: ReportingApi,
): Promise<string | undefined> {
  const { columns } = await reporting.report(
    ask({
      ...request,
      reportType: 'statusDuration',
      selection: { by: 'keys', keys: [key] },
      includeDeletedStatuses: true,
      fields: ['status', 'assignee'],
    }),
  );
  return columns.find((column) => column.part === 'value' && column.title === title)?.id;
}
