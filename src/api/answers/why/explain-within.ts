import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import type { Explanation } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask } from '../../../model/request.ts';
import { inStatus } from '../../../output/figure-words.ts';
import { flowFields, flowOfIssue } from '../../outcomes/issue-flow.ts';
import type { IssuesInput } from '../../outcomes/outcomes-api.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { issueParts, sharesOf, withoutShare } from './explain-parts.ts';
import { compose, type FigureName, shortName, sumOf, unknownFigure } from './explanation.ts';

/** A span of time, its name, and what it is: `week` or `sprint`. */
interface NamedSpan {
  readonly start: Instant;
  readonly end: Instant;
  readonly called: string;
  readonly kind: string;
}

/** The time that issues spent in a status within a span; `words` has the short name of the status. */
export async function explainWithin(
  { words: [name] }: FigureName,
  span: NamedSpan,
  issues: IssuesInput,
  reporting: ReportingApi,
): Promise<Explanation> {
  const { start, end, called, kind } = span;
  const flows = await reporting.flows(issues.principal);
  const list = await reporting.report(
    ask({
      ...issues,
      reportType: reportIds.statusDuration,
      includeDeletedStatuses: true,
      trim: { from: start, to: end },
      fields: flowFields(flows),
    }),
  );
  const column = list.columns.find(({ id, part }) => part === 'value' && shortName(id) === name);
  if (column === undefined) throw unknownFigure();
  await yieldToOthers();
  const shares = sharesOf(list, [column]).filter(({ facts }) => flowOfIssue(facts, flows).counts);
  await yieldToOthers();
  const parts = issueParts(shares, 'duration');
  await yieldToOthers();
  return compose(
    {
      title: `Time ${inStatus(column.title)} within ${called}`,
      value: { kind: 'duration', value: sumOf(shares.map(({ value }) => value ?? 0)) },
      rules: [
        `Time of all issues in this status within the ${kind}, finished or not.`,
        `Of a stay that began before the ${kind} or ended after it, only the part within it counts.`,
      ],
      parts,
      adds: true,
      denominator: { counted: shares.filter(({ value }) => value !== null).length, of: shares.length },
      excluded: withoutShare(shares.filter(({ facts }) => facts.unknown !== null)),
    },
    list.provenance,
    issues.asOf,
  );
}
